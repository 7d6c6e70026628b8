package dev.touchstone.index.server.store;

import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The process that {@code scripts/index-power-cuts} runs. With writers, threads update a store and search it, and a ledger gets a line for each update that was
 * acknowledged. Without writers, the process judges what a power cut left of the store: by a ledger from before the cut, whose updates must be
 * there, and one from after the cut, whose updates may be there, and the next of each thread.
 *
 * <p>A line of a ledger has a thread, its number, and a space. A file beside the store gets a byte for each update, and no force; a line for it has the letter
 * {@code u} and the length.
 */
final class StoreSession {
    private static final int MAX_LOG_BYTES = 20_000; // a few dozen updates between two snapshots
    private static final StoreOptions OPTIONS = new StoreOptions(MAX_LOG_BYTES, false);

    private StoreSession() {}

    /**
     * Updates a store, or judges one.
     *
     * @param args folder of the store, ledger, ledgers from before and after the cut, two words that are not used, the number of writers, and the seed
     */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int writers = Integer.parseInt(args[6]);
        if (writers > 0) {
            update(folder, Path.of(args[1]), writers);
        } else {
            judge(folder, Path.of(args[2]), Path.of(args[3]));
        }
    }

    private static Path unforced(Path folder) {
        return folder.resolveSibling("unforced");
    }

    private static void update(Path folder, Path ledgerFile, int writers) throws IOException {
        if (!PriceStore.exists(folder)) {
            PriceStore.create(folder, NumberedUpdates.empty(), OPTIONS).close();
        }
        PriceStore store = PriceStore.open(folder, OPTIONS, StoreProgress.NONE);
        OutputStream ledger = Files.newOutputStream(ledgerFile, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        OutputStream unforced =
                Files.newOutputStream(unforced(folder), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        long length = Files.size(unforced(folder));
        for (int thread = 0; thread < NumberedUpdates.MAX_THREADS; thread++) {
            write(ledger, thread + " " + NumberedUpdates.number(store.index(), thread));
        }
        Unforced control = new Unforced(unforced, length);
        for (int i = 0; i < writers; i++) {
            int thread = i;
            Thread writer = new Thread(() -> {
                try {
                    for (long n = NumberedUpdates.number(store.index(), thread) + 1; ; n++) {
                        long unused = store.update(NumberedUpdates.batch(thread, n));
                        write(ledger, thread + " " + n);
                        write(ledger, "u " + control.next());
                    }
                } catch (IOException e) {
                    end("VIOLATION: update failed: " + e);
                }
            });
            writer.setDaemon(true);
            writer.start();
        }
        System.out.println("ready");
        PriceQuery query = store.index().query();
        while (true) {
            String wrong = NumberedUpdates.wrong(NumberedUpdates.all(store.index(), query));
            if (!wrong.isEmpty()) {
                end("VIOLATION: " + wrong);
            }
        }
    }

    /** The file that is written without a force. */
    private static final class Unforced {
        private final OutputStream out;
        private long length;

        Unforced(OutputStream out, long length) {
            this.out = out;
            this.length = length;
        }

        /** Appends a byte; returns the length. */
        synchronized long next() throws IOException {
            out.write('.');
            return ++length;
        }
    }

    private static void end(String message) {
        System.out.println(message);
        Runtime.getRuntime().halt(1);
    }

    private static void write(OutputStream ledger, String line) throws IOException {
        ledger.write(
                (line + " \n").getBytes(StandardCharsets.US_ASCII)); // one write, so that lines of threads do not mix
    }

    /** The highest number of each thread in a ledger, and the highest length of the unforced file. */
    private static final class Ledger {
        final long[] numbers = new long[NumberedUpdates.MAX_THREADS];
        long unforced;

        Ledger(Path file) throws IOException {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                String[] words = line.split(" ", -1);
                if (words.length < 3) {
                    continue; // the last line, which was being written
                }
                long n = Long.parseLong(words[1]);
                if (words[0].equals("u")) {
                    unforced = Math.max(unforced, n);
                } else {
                    int thread = Integer.parseInt(words[0]);
                    numbers[thread] = Math.max(numbers[thread], n);
                }
            }
        }
    }

    private static void judge(Path folder, Path beforeFile, Path afterFile) throws IOException {
        Ledger before = new Ledger(beforeFile);
        Ledger after = new Ledger(afterFile);
        Path unforced = unforced(folder);
        long unforcedLost = before.unforced - (Files.exists(unforced) ? Files.size(unforced) : 0);
        StoreReport report = StoreVerifier.verify(folder, StoreProgress.NONE);
        StringBuilder violations = new StringBuilder();
        if (!report.opens()) {
            violations.append("VIOLATION: verify: ").append(report).append('\n');
        }
        long promised = 0;
        long present = 0;
        try (PriceStore store = PriceStore.open(folder, OPTIONS, StoreProgress.NONE)) {
            PriceIndex index = store.index();
            String wrong = NumberedUpdates.wrong(NumberedUpdates.all(index, index.query()));
            if (!wrong.isEmpty() || index.version() != report.version()) {
                violations
                        .append("VIOLATION: ")
                        .append(wrong)
                        .append(" version=")
                        .append(index.version())
                        .append(" verified=")
                        .append(report.version())
                        .append('\n');
            }
            for (int thread = 0; thread < NumberedUpdates.MAX_THREADS; thread++) {
                long found = NumberedUpdates.number(index, thread);
                promised += before.numbers[thread];
                present += found;
                if (found < before.numbers[thread] || found > after.numbers[thread] + 1) {
                    violations
                            .append("VIOLATION: thread=")
                            .append(thread)
                            .append(" number=")
                            .append(found)
                            .append(" acknowledged=")
                            .append(before.numbers[thread])
                            .append(" sent=")
                            .append(after.numbers[thread] + 1)
                            .append('\n');
                }
            }
        }
        System.out.print(violations);
        System.out.println(
                "judged ok=" + (violations.isEmpty() ? 1 : 0) + " promised=" + promised + " present=" + present
                        + " replayed=" + report.entries() + " snapshot=" + report.snapshotVersion() + " unforcedLost="
                        + Math.max(0, unforcedLost));
        System.exit(violations.isEmpty() ? 0 : 1);
    }
}
