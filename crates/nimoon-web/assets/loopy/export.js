// Pictures as files.
import { download } from "../dom.js";
import { standalone } from "../svg.js";

/** @param {SVGElement} picture @param {string} name */
export function saveSvg(picture, name) {
  download(`${name}.svg`, standalone(picture), "image/svg+xml");
}

/**
 * The picture in pixels, twice as fine as on the page, on the colour of the page.
 * @param {SVGElement} picture
 * @param {string} name
 */
export async function savePng(picture, name) {
  const text = standalone(picture);
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
    // Browsers draw no canvas beyond some thousand pixels a side.
    const scale = Math.min(2, 8000 / Math.max(width, height));
    [canvas.width, canvas.height] = [width * scale, height * scale];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob) download(`${name}.png`, /** @type {Blob} */ (blob), "image/png");
  } finally {
    URL.revokeObjectURL(url);
  }
}
