//! The renderer as a child process.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use quire_domain::pdf::Addresses;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};
use tokio::sync::{Semaphore, SemaphorePermit};

/// System folders with fonts.
const FONTS: [&str; 2] = ["/usr/local/share/fonts", "/usr/share/fonts"];
/// Maximum length of a renderer's error output that is kept, in bytes.
const WORDS: u64 = 4_096;

/// Limits of a renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Address space in MiB.
    pub memory: u64,
    /// Maximum size of the PDF in MiB.
    pub size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), memory: 2_048, size: 128 }
    }
}

/// Reason why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The program does not exist.
    #[error("there is no renderer at {}", .0.display())]
    NotInstalled(PathBuf),
    /// The renderer exceeded its time limit.
    #[error("the renderer was stopped after {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// The renderer failed.
    #[error("the renderer ended with {status}: {words}")]
    Crashed {
        /// Exit status.
        status: ExitStatus,
        /// Error output.
        words: String,
    },
    /// The PDF exceeds the size limit.
    #[error("the PDF has {0} bytes, which is too many")]
    TooLarge(u64),
    /// The output is not a PDF.
    #[error("the output of the renderer is not a PDF")]
    NoPdf,
    /// The operating system reported an error.
    #[error("the renderer can't be run")]
    System(#[from] io::Error),
}

/// Runs the renderer, one at a time on a node.
#[derive(Clone)]
pub struct PdfRenderer {
    /// Path of the program. Looked up on each use, because it may be installed while the server runs.
    pub program: PathBuf,
    /// Folders with fonts, in addition to those of the system.
    pub fonts: Vec<PathBuf>,
    /// Limits of each run.
    pub limits: Limits,
    /// Resolver of the addresses in a book.
    pub addresses: Arc<dyn Addresses>,
    turn: Arc<Semaphore>,
}

impl PdfRenderer {
    /// Returns a renderer that runs this program.
    #[must_use]
    pub fn new(program: PathBuf, addresses: Arc<dyn Addresses>) -> Self {
        let turn = Arc::new(Semaphore::new(1));
        Self { program, fonts: Vec::new(), limits: Limits::default(), addresses, turn }
    }

    /// Returns the permit to render; `None` while another PDF is being rendered here.
    #[must_use]
    pub fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.turn.try_acquire().ok()
    }

    /// Renders the book in `folder/book.json` as a PDF, and returns its path.
    ///
    /// # Errors
    /// [`RenderError`] if there is no PDF.
    pub async fn render(&self, folder: &Path) -> Result<PathBuf, RenderError> {
        let pdf = folder.join("book.pdf");
        let mut child = match self.command(folder, &pdf).spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RenderError::NotInstalled(self.program.clone()));
            }
            child => child?,
        };
        let _group = Group::of(&child);
        let ended = tokio::time::timeout(self.limits.time, outcome(&mut child)).await;
        let (status, words) = ended.map_err(|_| RenderError::TimedOut(self.limits.time))??;
        if !status.success() {
            return Err(RenderError::Crashed { status, words });
        }
        self.check(&pdf).await?;
        Ok(pdf)
    }

    fn command(&self, folder: &Path, pdf: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg(folder.join("book.json"))
            .arg(pdf)
            .arg(format!("--memory={}", self.limits.memory))
            .arg(format!("--size={}", self.limits.size))
            .arg(format!("--seconds={}", self.limits.time.as_secs().max(1)));
        for fonts in self.fonts.iter().map(PathBuf::as_path).chain(FONTS.map(Path::new)) {
            command.arg("--fonts").arg(fonts);
        }
        command
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // A separate process group, so that children of the renderer end with it.
            .process_group(0)
            .kill_on_drop(true);
        command
    }

    async fn check(&self, pdf: &Path) -> Result<(), RenderError> {
        let size = match tokio::fs::metadata(pdf).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(RenderError::NoPdf),
            metadata => metadata?.len(),
        };
        if size > self.limits.size.saturating_mul(1 << 20) {
            return Err(RenderError::TooLarge(size));
        }
        let mut start = [0; 5];
        let read = tokio::fs::File::open(pdf).await?.read(&mut start).await?;
        if read == start.len() && &start == b"%PDF-" { Ok(()) } else { Err(RenderError::NoPdf) }
    }
}

/// Waits for the end of a child and collects its error output.
async fn outcome(child: &mut Child) -> io::Result<(ExitStatus, String)> {
    let words = child.stderr.take();
    let (status, words) = tokio::join!(child.wait(), listen(words));
    Ok((status?, words))
}

/// Returns the beginning of a stream. Reads the rest too, because a child blocks on a full pipe.
async fn listen(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut words = Vec::new();
    // Output that cannot be read counts as empty.
    let _ = (&mut stream).take(WORDS).read_to_end(&mut words).await;
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&words).trim().to_owned()
}

/// Ends the process group of a child when dropped.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // The group may have ended already.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}
