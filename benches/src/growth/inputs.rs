//! The program, and the files that rows need.

use std::path::{Path, PathBuf};

use super::{GrowthError, Row};

/// Where the program and the files are.
pub(super) struct Inputs {
    program: PathBuf,
    folder: PathBuf,
    examples: PathBuf,
}

impl Inputs {
    /// The program beside this one, and a folder for files.
    pub(super) fn new() -> Result<Self, GrowthError> {
        let this = PathBuf::from("bench");
        let this =
            std::env::current_exe().map_err(|error| GrowthError::File { path: this, error })?;
        let beside = this.parent().unwrap_or(Path::new("."));
        let folder = beside.join("bench-inputs");
        std::fs::create_dir_all(&folder)
            .map_err(|error| GrowthError::File { path: folder.clone(), error })?;
        let program = beside.join(format!("nimoon{}", std::env::consts::EXE_SUFFIX));
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/rules");
        Ok(Self { program, folder, examples })
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// The arguments of a row at a size; `FILE` stands for the file that it needs, `RULES` for the folder of scripts.
    pub(super) fn arguments(&self, row: &Row, size: u64) -> Result<Vec<String>, GrowthError> {
        let mut arguments = (row.arguments)(size);
        if let Some((extension, text)) = row.file {
            let name = row.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            let path = self.folder.join(format!("growth-{name}-{size}.{extension}"));
            std::fs::write(&path, text(size))
                .map_err(|error| GrowthError::File { path: path.clone(), error })?;
            let path = path.display().to_string();
            arguments = arguments.iter().map(|word| word.replace("FILE", &path)).collect();
        }
        let rules = self.examples.display().to_string();
        Ok(arguments.iter().map(|word| word.replace("RULES", &rules)).collect())
    }
}
