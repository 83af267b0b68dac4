// Downloads pictures as files.
import { download } from "../dom.js";
import { standalone } from "../svg.js";

/** @param {SVGElement} picture @param {string} name */
export function saveSvg(picture, name) {
  download(`${name}.svg`, standalone(picture), "image/svg+xml");
}

/**
 * Downloads the picture as PNG, at twice the resolution of the page and on its background colour.
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
    // Browsers limit the sides of a canvas to some thousands of pixels.
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
