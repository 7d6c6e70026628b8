package dev.touchstone.harness.env;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/** Checks that a data folder can be used, and times forces in it. Writes one small file there and deletes it. */
final class ForceProbe {
    static final int APPENDS = 500;

    private static final int RECORD_BYTES = 512;
    private static final long MIN_FREE_BYTES = 1 << 20;
    /** A slow disk must not hold up every run: 500 forces of 8 ms would take 4 s. */
    private static final long LIMIT_NANOS = 3_000_000_000L;

    private ForceProbe() {}

    /**
     * Times forces of 512 B, until there are {@link #APPENDS} or 3 s are over.
     *
     * @throws DataFolderException when the folder is missing, no folder, read-only, full or failing
     */
    static ForceLatency measure(Path folder) throws DataFolderException {
        check(folder);
        Path file = create(folder);
        try {
            return timeForces(file);
        } catch (IOException e) {
            throw failure(folder, e);
        } finally {
            delete(file);
        }
    }

    private static void check(Path folder) throws DataFolderException {
        if (!Files.exists(folder)) {
            throw new DataFolderException(DataFolderException.Reason.MISSING, folder, "does not exist", null);
        }
        if (!Files.isDirectory(folder)) {
            throw new DataFolderException(DataFolderException.Reason.NOT_A_FOLDER, folder, "is not a folder", null);
        }
    }

    private static Path create(Path folder) throws DataFolderException {
        try {
            Path file = Files.createTempFile(folder, "touchstone-probe", ".tmp");
            if (Files.getFileStore(folder).getUsableSpace() < MIN_FREE_BYTES) {
                delete(file);
                throw DataFolderException.full(folder, null);
            }
            return file;
        } catch (DataFolderException e) {
            throw e;
        } catch (NotDirectoryException e) {
            throw new DataFolderException(DataFolderException.Reason.NOT_A_FOLDER, folder, "is not a folder", e);
        } catch (IOException e) {
            throw DataFolderException.cannotCreate(folder, e);
        }
    }

    private static ForceLatency timeForces(Path file) throws IOException {
        Histogram nanos = new Histogram(3);
        ByteBuffer bytes = ByteBuffer.allocateDirect(RECORD_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long begin = System.nanoTime();
            for (int i = 0; i < APPENDS && System.nanoTime() - begin < LIMIT_NANOS; i++) {
                long start = System.nanoTime();
                bytes.clear();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
                nanos.recordValue(System.nanoTime() - start);
            }
        }
        return new ForceLatency(
                (int) nanos.getTotalCount(),
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getMaxValue() / 1e3);
    }

    private static DataFolderException failure(Path folder, IOException e) {
        return DataFolderException.isFull(e)
                ? DataFolderException.full(folder, e)
                : new DataFolderException(
                        DataFolderException.Reason.FAILING, folder, "can't be written: " + e.getMessage(), e);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Nothing depends on it: the name says what it was, and the next report of the folder is right all the
            // same.
        }
    }
}
