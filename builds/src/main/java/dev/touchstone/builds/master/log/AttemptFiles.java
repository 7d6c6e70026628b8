package dev.touchstone.builds.master.log;

import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The files of the logs of jobs: {@code <folder>/<number / 1000>/<number>-<attempt>.log}. The files of all attempts, one behind the other, are the log.
 * A file does not grow any more once that of the next attempt is there. Beside them, {@code <number>.times} has the seconds in which the log has grown: an
 * offset in the whole log and a time in seconds since 1970, of 8 bytes each. Thread-safe.
 */
public record AttemptFiles(Path folder) {
    private static final int JOBS_PER_FOLDER = 1000;
    private static final int TIME_BYTES = 2 * Long.BYTES;
    private static final int MAX_TIMES = 64 << 10; // of a job, which its file keeps below 1 MiB

    /** Returns the greatest number of a job whose log may be in the folder with a number. */
    public static long lastOf(long folderNumber) {
        return (folderNumber + 1) * JOBS_PER_FOLDER - 1;
    }

    /** Returns the path of the file of an attempt, whether it exists or not. */
    public Path of(long number, int attempt) {
        return folder.resolve(Long.toString(number / JOBS_PER_FOLDER)).resolve(number + "-" + attempt + ".log");
    }

    /** Returns the bytes of one attempt's file; 0 if there is none. */
    public long size(long number, int attempt) throws IOException {
        Path file = of(number, attempt);
        return Files.exists(file) ? Files.size(file) : 0;
    }

    boolean endsWithNewline(long number, int attempt) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel in = OwnerOnly.open(of(number, attempt), StandardOpenOption.READ)) {
            return in.size() == 0 || in.read(last, in.size() - 1) < 1 || last.get(0) == '\n';
        }
    }

    FileChannel open(long number, int attempt) throws IOException {
        Path file = of(number, attempt);
        Path unused = OwnerOnly.folder(folder.resolve(Long.toString(number / JOBS_PER_FOLDER)));
        return OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private Path times(long number) {
        return folder.resolve(Long.toString(number / JOBS_PER_FOLDER)).resolve(number + ".times");
    }

    /** Notes the second in which the bytes of a log from an offset on have come. */
    void note(long number, long offset, long second) throws IOException {
        try (FileChannel out = OwnerOnly.open(times(number), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long end = out.size() / TIME_BYTES * TIME_BYTES; // a torn record is written over
            if (end < (long) MAX_TIMES * TIME_BYTES) {
                ByteBuffer time = ByteBuffer.allocate(TIME_BYTES)
                        .putLong(offset)
                        .putLong(second)
                        .flip();
                int unused = out.write(time, end);
            }
        }
    }

    /** Returns offsets and the seconds in which the bytes from each of them on have come, ascending; empty if nothing was noted. */
    public NavigableMap<Long, Long> times(long number, long from) throws IOException {
        NavigableMap<Long, Long> times = new TreeMap<>();
        Path file = times(number);
        if (!Files.exists(file)) {
            return times;
        }
        ByteBuffer bytes;
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ)) {
            bytes = ByteBuffer.allocate((int) Math.min(in.size(), (long) MAX_TIMES * TIME_BYTES));
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = in.read(bytes);
            }
        }
        bytes.flip();
        while (bytes.remaining() >= TIME_BYTES) {
            long offset = bytes.getLong();
            times.tailMap(offset, false).clear(); // the log was cut, and has come again
            times.put(offset, bytes.getLong());
        }
        return times.tailMap(from, true);
    }

    /** Empties the file of an attempt that begins, and deletes those of later attempts, which the journal may have forgotten in a repair. */
    void begin(long number, int attempt) throws IOException {
        if (attempt == 1) {
            Files.deleteIfExists(times(number));
        }
        if (Files.exists(of(number, attempt))) {
            OwnerOnly.open(of(number, attempt), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                    .close();
        }
        int later = attempt + 1;
        while (Files.deleteIfExists(of(number, later))) {
            later++;
        }
    }

    /** Creates the file of an attempt where there is none. */
    void touch(long number, int attempt) throws IOException {
        open(number, attempt).close();
    }

    /** Reads bytes of all attempts as one; returns how many: 0 where there are none behind the offset, yet. */
    public int read(long number, long offset, ByteBuffer into) throws IOException {
        long from = offset;
        int got = 0;
        boolean more = Files.exists(of(number, 1));
        for (int attempt = 1; more && into.hasRemaining(); attempt++) {
            more = Files.exists(of(number, attempt + 1)); // looked at first: if it is there, this one does not grow
            Path file = of(number, attempt);
            long size = Files.size(file);
            if (from < size) {
                int bytes = read(file, from, into);
                got += bytes;
                from += bytes;
            }
            from -= size;
        }
        return got;
    }

    private static int read(Path file, long offset, ByteBuffer into) throws IOException {
        int got = 0;
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ)) {
            int bytes = 0;
            while (into.hasRemaining() && bytes >= 0) {
                bytes = in.read(into, offset + got);
                got += Math.max(0, bytes);
            }
        }
        return got;
    }

    /** Returns the bytes of all attempts. */
    public long total(long number) throws IOException {
        long total = 0;
        for (int attempt = 1; Files.exists(of(number, attempt)); attempt++) {
            total += Files.size(of(number, attempt));
        }
        return total;
    }

    /** Deletes the files of all attempts. */
    public void delete(long number) throws IOException {
        boolean deleted = true;
        Files.deleteIfExists(times(number));
        for (int attempt = 1; deleted; attempt++) {
            deleted = Files.deleteIfExists(of(number, attempt));
        }
    }
}
