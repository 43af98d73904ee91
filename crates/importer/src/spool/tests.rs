use super::*;

/// Returns files with lengths around each limit.
fn files() -> Vec<Vec<u8>> {
    let lengths = [0, 1, SPOOLED_FROM - 1, SPOOLED_FROM, SPOOLED_FROM + 1, 100_000];
    let lengths = lengths.into_iter().chain([SPOOLED_FROM + PIECE, SPOOLED_FROM + PIECE + 1]);
    lengths.map(|length| (0..length).map(|at| (at % 251).to_le_bytes()[0]).collect()).collect()
}

fn check(file: &[u8], content: &Content) {
    assert_eq!((content.len(), content.is_empty()), (file.len(), file.is_empty()));
    assert_eq!(content.read().unwrap(), *file);
    assert_eq!(content.head(3).unwrap(), file[..file.len().min(3)]);
    assert_eq!(content.part(2, 5).unwrap(), file[file.len().min(2)..file.len().min(7)]);
    let parts: Vec<Bytes> = content.parts(30_000).map(Result::unwrap).collect();
    assert_eq!(parts.concat(), file);
    assert!(parts.iter().all(|part| (1..=30_000).contains(&part.len())));
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn content_reads_back_from_memory_and_disk() {
    let mut spool = Spool::default();
    let kept: Vec<Content> = files().into_iter().map(|file| spool.copy(&file.into()).unwrap()).collect();
    for (file, content) in files().iter().zip(&kept) {
        check(file, content);
    }
    let on_disk: usize = files().iter().map(Vec::len).filter(|length| *length >= SPOOLED_FROM).sum();
    assert_eq!(spool.end, u64::try_from(on_disk).unwrap());
    assert_eq!(kept[4], Content::from(files()[4].clone()));
}

#[test]
fn readers_are_stored_and_too_long_ones_leave_no_trace() {
    let mut spool = Spool::default();
    let mut kept = Vec::new();
    for file in files() {
        let length = u64::try_from(file.len()).unwrap();
        if length > 0 {
            let cut = spool.take(&file[..], length - 1).unwrap();
            assert!(cut.content.is_none() && cut.length == length, "{length}: {cut:?}");
        }
        let taken = spool.take(&file[..], length).unwrap();
        assert_eq!(taken.length, length);
        kept.push(taken.content.unwrap().unwrap());
    }
    for (file, content) in files().iter().zip(&kept) {
        check(file, content);
    }
}

#[test]
fn a_reader_that_fails_costs_what_it_gave() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = buffer.len().min(self.0);
            self.0 -= size;
            if size == 0 { Err(io::ErrorKind::InvalidData.into()) } else { Ok(size) }
        }
    }
    let taken = Spool::default().take(Broken(50_000), 1_000_000).unwrap();
    assert_eq!(taken.length, 50_000);
    assert_eq!(taken.content.unwrap().unwrap_err().kind(), io::ErrorKind::InvalidData);
}

#[test]
fn content_that_arrives_in_pieces_is_complete() {
    for file in files() {
        let content = run(async {
            let mut incoming = Incoming::new(u64::try_from(file.len()).unwrap(), &Threads::default());
            for piece in file.chunks(7_001) {
                incoming.push(piece).await.unwrap();
            }
            incoming.finish().await.unwrap()
        });
        check(&file, &content);
    }
}

#[test]
fn more_than_may_arrive_is_refused() {
    let refused = run(async {
        let mut incoming = Incoming::new(10, &Threads::default());
        incoming.push(b"0123456789").await.unwrap();
        incoming.push(b"x").await
    });
    assert!(matches!(refused, Err(IncomingError::TooLarge { limit: 10 })));
}

#[test]
fn a_reader_reads_from_any_offset() {
    for content in
        [Content::from(files()[5].clone()), Spool::default().copy(&files()[5].clone().into()).unwrap()]
    {
        let mut reader = content.reader();
        assert_eq!(reader.seek(SeekFrom::End(-4)).unwrap(), 99_996);
        let mut tail = Vec::new();
        reader.read_to_end(&mut tail).unwrap();
        assert_eq!(tail, files()[5][99_996..]);
        assert_eq!(reader.seek(SeekFrom::Current(-100_000)).unwrap(), 0);
        assert!(reader.seek(SeekFrom::Current(-1)).is_err());
        reader.seek(SeekFrom::Start(1 << 40)).unwrap();
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
    }
}
