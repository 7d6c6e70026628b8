package dev.touchstone.benchmarks.queue.peer;

import com.squareup.tape2.QueueFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * tape's {@link QueueFile}: one ring file in which every write is synchronous. It is not thread-safe, so each call holds this
 * object's monitor; removed records are not zeroed, which spares it a synchronous write per removal.
 */
public final class TapeAdapter implements QueueUnderTest {

    /** Record, wrapped remainder or header of the record, header of the file: what {@code add} writes, each waited for. */
    private static final int FORCES_PER_ADD = 3;

    private static final int FORCES_PER_REMOVE = 1;

    private final QueueFile file;
    private long forces;

    private TapeAdapter(QueueFile file) {
        this.file = file;
    }

    /** Opens a queue file in {@code folder}. */
    public static QueueUnderTest open(Path folder) throws IOException {
        return open(folder, false);
    }

    /** Opens a queue file in {@code folder} that overwrites removed records, as is tape's default. */
    public static QueueUnderTest openZeroing(Path folder) throws IOException {
        return open(folder, true);
    }

    private static QueueUnderTest open(Path folder, boolean zero) throws IOException {
        return new TapeAdapter(
                new QueueFile.Builder(folder.resolve("queue.tape").toFile())
                        .zero(zero)
                        .build());
    }

    @Override
    public synchronized void write(byte[] record) throws IOException {
        file.add(record);
        forces += FORCES_PER_ADD;
    }

    @Override
    public synchronized byte @Nullable [] read() throws IOException {
        byte[] head = file.peek();
        if (head != null) {
            file.remove();
            forces += FORCES_PER_REMOVE;
        }
        return head;
    }

    @Override
    public synchronized void scan(Consumer<byte[]> sink) {
        for (byte[] record : file) {
            sink.accept(record);
        }
    }

    @Override
    public synchronized void clear() throws IOException {
        file.clear();
    }

    @Override
    public synchronized long forces() {
        return forces;
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
