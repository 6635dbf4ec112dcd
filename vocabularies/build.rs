//! Compiles the lists in this folder to the vocabulary that `src/lib.rs` embeds.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use notesieve_vocabulary_build::sources::lists;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    // Every file of the folder, and folders that come.
    println!("cargo::rerun-if-changed=.");
    let (bytes, _) = lists::compile_folders(&root)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("default.nsv"), &bytes)?;
    Ok(())
}
