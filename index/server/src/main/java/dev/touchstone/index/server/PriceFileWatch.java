package dev.touchstone.index.server;

import dev.touchstone.cli.FailureMessages;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.Price;
import dev.touchstone.index.loader.LoadException;
import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.loader.PriceDifference;
import dev.touchstone.index.loader.PriceLoad;
import dev.touchstone.index.loader.PriceSchema;
import dev.touchstone.index.loader.UnknownColumnException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.server.api.Metrics;
import dev.touchstone.index.server.api.PriceService;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replacement of all prices of a service by those of a file, each time that the file is replaced.
 *
 * <p><b>Who calls.</b> One thread looks at the file: the one that {@link #start} makes, or that of a test. Any thread may read the metrics and close.
 *
 * <p><b>Invariants.</b> A file is opened once two looks in a row have found it the same, and none of it is used if it is another one after it was read.
 * The first pass over a file changes nothing, so that a bad file is refused as a whole. Only if the changes are too many for one batch, there is a second
 * pass, over the file that the first has open, whatever has taken its place meanwhile.
 *
 * <p><b>Failure.</b> A file that is refused is not read again; the next one is. What fails for another reason, such as a full disk, is tried again after
 * pauses that double. The prices stay as they are in both cases, unless the second pass fails, or the file changes meanwhile: then the next file or attempt
 * completes it, also if the file is again the one that was used before.
 */
final class PriceFileWatch implements AutoCloseable {
    /** Time between two looks. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    private static final int MAX_PAUSE = 64; // looks
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Path file;
    private final Opener opener;
    private final PriceSchema schema;
    private final LoadOptions options;
    private final PriceService service;
    private final PrintWriter messages;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private @Nullable Thread thread; // set before the watch is shared
    private BooleanSupplier isUsed = () -> true; // set before the watch is shared, too
    private final AtomicLong replacements = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean isStale;

    // state of the thread that looks
    private @Nullable State read; // of the file that was used or refused last; null if the prices may be those of none
    private boolean isRefused; // whether that file was refused
    private @Nullable State before; // at the last look
    private int pause = 1;
    private int looksToSkip;

    /** The way in which a pass over the file is begun. */
    @FunctionalInterface
    interface Opener {
        /**
         * Begins a pass over a file of prices.
         *
         * @param file path of the file, whose name tells its format
         * @param content bytes of the file from its begin
         * @throws IOException if the file cannot be read
         */
        PriceLoad open(Path file, InputStream content, PriceSchema schema, LoadOptions options) throws IOException;
    }

    /** The result of one look at the file. */
    enum Look {
        /** The file is the one that was read last, or there is none. */
        SAME,
        /** The file is another one, which may still be written. */
        UNSETTLED,
        /** The index has the prices of the file. */
        REPLACED,
        /** The file is not usable, and was not used. */
        REFUSED,
        /** The prices could not be read or stored, which may succeed later. */
        FAILED
    }

    /**
     * The attributes by which a file is told from the one that it replaced.
     *
     * @param key identity in the file system, or null if there is none
     * @param isRegular whether it is a regular file: to open another one, such as a pipe, may wait for ever
     */
    record State(long bytes, FileTime modified, @Nullable Object key, boolean isRegular) {
        /** Returns the state of a file; null if the file cannot be asked. */
        static @Nullable State of(Path file) {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                return new State(found.size(), found.lastModifiedTime(), found.fileKey(), found.isRegularFile());
            } catch (IOException e) {
                return null;
            }
        }
    }

    /**
     * Creates a watch that looks when it is asked to.
     *
     * @param served state of the file whose prices the service has; null if it is not known
     */
    PriceFileWatch(Path file, LoadOptions options, @Nullable State served, PriceService service, PrintWriter messages) {
        this(file, options, served, service, messages, Source::open);
    }

    /** Creates a watch that opens the file in its own way, for tests. */
    PriceFileWatch(
            Path file,
            LoadOptions options,
            @Nullable State served,
            PriceService service,
            PrintWriter messages,
            Opener opener) {
        this.opener = opener;
        this.file = file;
        this.options = options;
        read = served;
        this.service = service;
        this.messages = messages;
        schema = PriceSchema.of(service.index());
        Metrics metrics = service.metrics();
        metrics.gauge(
                "touchstone.index.watch.replacements",
                "Files whose prices have replaced all others",
                replacements::get);
        metrics.gauge(
                "touchstone.index.watch.failures",
                "Files that were refused, and attempts to use a file that failed",
                failures::get);
        metrics.gauge(
                "touchstone.index.watch.stale",
                "1 while the watched file has other prices than those that are served, else 0",
                () -> isStale ? 1 : 0);
    }

    /** Leaves files that come from now on to others while a condition does not hold, as one member of a cluster is enough. */
    PriceFileWatch usedWhile(BooleanSupplier condition) {
        isUsed = condition;
        return this;
    }

    /** Looks from now on, by a thread that {@link #close} ends. */
    PriceFileWatch start() {
        Thread looking = new Thread(this::run, "price-file-watch");
        looking.setDaemon(true);
        thread = looking;
        looking.start();
        return this;
    }

    private void run() {
        try {
            while (!stopping.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                Look unused = look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody else has this thread, so it may end
        }
    }

    /** Looks at the file once, and uses it if it is another one than before and has settled. */
    Look look() {
        if (looksToSkip > 0) {
            looksToSkip--;
            return Look.SAME;
        }
        State now = State.of(file);
        if (now == null || now.equals(read)) {
            before = now;
            isStale = now == null ? isStale : isRefused;
            return Look.SAME;
        }
        isStale = true;
        if (!now.equals(before)) {
            before = now;
            return Look.UNSETTLED;
        }
        if (!isUsed.getAsBoolean()) {
            read = now;
            isStale = false;
            messages.println("file is left to the oldest member of the cluster: file=" + file);
            return Look.SAME;
        }
        Look look = use(now);
        if (look == Look.REPLACED || look == Look.REFUSED) {
            read = now;
            isRefused = look == Look.REFUSED;
            isStale = isRefused;
        }
        if (look == Look.FAILED) {
            read = null;
            looksToSkip = pause;
            pause = Math.min(2 * pause, MAX_PAUSE);
        } else {
            pause = 1;
        }
        return look;
    }

    private Look use(State now) {
        if (!now.isRegular()) {
            return failed(
                    Look.REFUSED,
                    "file is refused, and the prices stay: file=" + file
                            + ": not a regular file; rename one into its place");
        }
        try {
            return replace(now);
        } catch (CancellationException e) {
            return Look.UNSETTLED; // the next start begins anew
        } catch (LoadException | IndexException | UnknownColumnException e) {
            return failed(Look.REFUSED, "file is refused, and the prices stay: file=" + file + ": " + reason(e));
        } catch (IOException | RuntimeException | Error e) { // an Error too must not end the watch in silence
            return failed(
                    Look.FAILED,
                    "file could not be used, and is tried again: file=" + file + ": " + FailureMessages.describe(e));
        }
    }

    private Look failed(Look look, String message) {
        failures.incrementAndGet();
        messages.println(message);
        return look;
    }

    private static String reason(RuntimeException e) {
        return e instanceof UnknownColumnException unknown
                ? "a field of the index has no column: column='" + unknown.column() + "'; add the column"
                : FailureMessages.describe(e);
    }

    private Look replace(State now) throws IOException {
        PriceDifference difference = new PriceDifference(service.index());
        OnlyBatch only = new OnlyBatch();
        PriceDifference.Summary summary;
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            try (PriceLoad load = opener.open(file, fromBegin(opened), schema, options)) {
                summary = compare(load, difference, only);
                Source.report(load.report(), messages);
            }
            if (!isStill(now, opened)) {
                return Look.UNSETTLED;
            }
            if (only.batch != null) {
                long unused = service.update(only.batch);
            } else if (summary.batches() > 0 && !applyAgain(now, opened, difference)) {
                return Look.UNSETTLED;
            }
        }
        replacements.incrementAndGet();
        messages.println("file has replaced all prices: file=" + file + " version="
                + service.index().version() + " put=" + summary.put() + " removed=" + summary.removed() + " unchanged="
                + summary.unchanged() + " batches=" + summary.batches());
        return Look.REPLACED;
    }

    /** Applies the file that the first pass has checked; returns false if it was replaced or changed before the end, and has to be read again. */
    private boolean applyAgain(State now, RandomAccessFile opened, PriceDifference difference) throws IOException {
        try (PriceLoad load = opener.open(file, fromBegin(opened), schema, options)) {
            PriceDifference.Summary unused = compare(load, difference, service::update);
        } catch (LoadException | UnknownColumnException e) {
            if (isStill(now, opened)) {
                throw e;
            }
        }
        if (isStill(now, opened)) {
            return true;
        }
        read = null; // the prices may be those of no file
        messages.println("file has changed while it was used, and is read again: file=" + file);
        return false;
    }

    /** Returns whether the open file is as it was, and no other one has taken its place. */
    private boolean isStill(State state, RandomAccessFile opened) throws IOException {
        return opened.length() == state.bytes() && state.equals(State.of(file));
    }

    /** Returns the bytes of an open file, as a stream that leaves it open for the next pass. */
    private static InputStream fromBegin(RandomAccessFile opened) throws IOException {
        opened.seek(0);
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return opened.read();
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return opened.read(target, offset, length);
            }
        };
    }

    /** The only batch of a comparison; none if there are several, which are not kept. */
    private static final class OnlyBatch implements PriceDifference.Receiver {
        @Nullable
        PriceBatch batch;

        private boolean hasMore;

        @Override
        public void accept(PriceBatch next) {
            batch = hasMore ? null : next;
            hasMore = true;
        }
    }

    private PriceDifference.Summary compare(
            PriceLoad load, PriceDifference difference, PriceDifference.Receiver receiver) throws IOException {
        if (!Source.isJsonLines(file)) { // a line of JSON leaves out what has no value; a head must not
            load.requireColumns(
                    schema.fields().stream().map(field -> field.name()).toList());
        }
        return difference.compare(() -> untilStopped(load.iterator()), receiver);
    }

    private Iterator<Price> untilStopped(Iterator<Price> prices) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (stopping.getCount() == 0) {
                    throw new CancellationException("stopped: file=" + file);
                }
                return prices.hasNext();
            }

            @Override
            public Price next() {
                return prices.next();
            }
        };
    }

    /** Ends the watch. Waits for a batch that is being stored, but at most 20 s for a file system that does not answer. */
    @Override
    public void close() {
        close(CLOSE_NANOS);
    }

    /** Ends the watch, and waits for its thread for a limited time. */
    void close(long nanos) {
        stopping.countDown();
        Thread looking = thread;
        boolean isInterrupted = false;
        long begin = System.nanoTime();
        while (looking != null && looking.isAlive() && System.nanoTime() - begin < nanos) {
            try {
                looking.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos - (System.nanoTime() - begin))));
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
