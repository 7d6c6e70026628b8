package dev.touchstone.queue.replicated;

import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A machine that keeps the texts of its entries, which begin with {@code -} until they are stamped with {@code +}. */
final class CountingMachine implements ReplicatedMachine {
    static final String POISON = "poison";
    static final String FILE = "entries";

    final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> entries = new ArrayList<>();
    private long lastIndex;
    private volatile @Nullable Throwable cause;
    private volatile boolean isEnded;
    volatile boolean failsOnPoison = true;
    volatile String snapshotFailure = "";
    volatile CountDownLatch gate = new CountDownLatch(0); // entries wait until it is open

    static byte[] entry(String text) {
        return ("-" + text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void apply(long index, ByteBuffer entry) throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        applyNow(index, entry);
    }

    private synchronized void applyNow(long index, ByteBuffer entry) throws IOException {
        check();
        if (index <= lastIndex) {
            throw new IOException("index=" + index + " after " + lastIndex);
        }
        String text = StandardCharsets.UTF_8.decode(entry).toString();
        if (!text.startsWith("+")) {
            throw new IOException("not stamped: " + text);
        }
        if (failsOnPoison && text.substring(1).equals(POISON)) {
            throw new IOException("poisoned");
        }
        lastIndex = index;
        entries.add(text.substring(1));
    }

    @Override
    public boolean stamp(byte[] entry) {
        if (entry.length == 0 || entry[0] != '-') {
            return false;
        }
        entry[0] = '+';
        return true;
    }

    @Override
    public Snapshot copy() throws IOException {
        return save();
    }

    @Override
    public synchronized Snapshot save() throws IOException {
        check();
        events.add("save");
        String failure = snapshotFailure;
        if (failure.equals("save")) {
            events.add("failed in save");
            throw new IOException("save");
        }
        List<String> copy = new ArrayList<>(entries);
        copy.add(0, Long.toString(lastIndex));
        return folder -> {
            Path file =
                    Files.write(Files.createDirectory(folder.resolve("below")).resolve(FILE), copy);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            if (!failure.isEmpty()) {
                events.add("failed in " + failure);
                if (failure.equals("error")) {
                    throw new AssertionError("error");
                }
                throw new IOException("write");
            }
            events.add("written");
        };
    }

    @Override
    public synchronized void load(Path folder) throws IOException {
        check();
        events.add("load");
        List<String> lines = Files.readAllLines(folder.resolve("below").resolve(FILE));
        lastIndex = Long.parseLong(lines.get(0));
        entries.clear();
        entries.addAll(lines.subList(1, lines.size()));
    }

    @Override
    public void check(Path folder) throws IOException {
        String first = Files.readAllLines(folder.resolve("below").resolve(FILE)).get(0);
        if (!first.matches("[0-9]+")) {
            throw new IOException("damaged: " + first);
        }
    }

    @Override
    public void leads(long term) {
        check();
        events.add("leads " + term);
    }

    @Override
    public void follows() {
        check();
        events.add("follows");
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        check();
        events.add("ended");
        cause = failure;
        isEnded = true;
    }

    private void check() {
        if (isEnded) {
            events.add("called after its end");
            throw new IllegalStateException("called after its end");
        }
    }

    /** Makes this member's state another one than that of the others. */
    synchronized void forgetLast() {
        entries.remove(entries.size() - 1);
    }

    synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    boolean isEnded() {
        return isEnded;
    }

    @Nullable
    Throwable cause() {
        return cause;
    }
}
