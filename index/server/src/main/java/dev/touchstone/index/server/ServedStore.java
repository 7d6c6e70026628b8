package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Metrics;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.http.HttpOptions;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the store that a server keeps its updates in. */
final class ServedStore {
    private static final int GROUPED_UPDATES = 8;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "Folder in which updates are kept: each is on the device before it is answered. "
                    + "A folder without a store becomes one that holds the prices of --prices or --index.")
    @Nullable
    Path folder;

    @Option(
            names = "--max-log-bytes",
            paramLabel = "BYTES",
            description = "Bytes of updates in the store's log beyond which a snapshot is made in the background. "
                    + "Default: ${DEFAULT-VALUE}.")
    long maxLogBytes = StoreOptions.DEFAULT.maxLogBytes();

    /**
     * Opens the store, or makes one of the source; returns null if the command line names no store.
     *
     * @param isWatched whether the source may be given though there is a store, because its prices replace those of the store later
     */
    @Nullable
    PriceStore open(SourceOptions sources, boolean isWatched, Console console) throws IOException {
        Ranges.check("--max-log-bytes", maxLogBytes, 1, Long.MAX_VALUE);
        Path at = folder;
        if (at == null) {
            return null;
        }
        StoreOptions options = new StoreOptions(maxLogBytes, sources.isMapped);
        if (PriceStore.exists(at)) {
            if (sources.isGiven() && !isWatched) {
                throw new UsageException("--store: holds prices already: path=" + at
                        + "; leave out --prices and --index, name a new folder, or replace its prices by --watch");
            }
            PriceStore opened;
            try (CommandProgress progress = new CommandProgress(console, "opening the store")) {
                opened = PriceStore.open(at, options, progress);
            }
            try {
                sources.checkTypes(opened.index());
                return opened;
            } catch (UsageException e) {
                opened.close();
                throw e;
            }
        }
        if (!sources.isGiven()) {
            throw new UsageException(
                    "--store: no store in this folder: path=" + at + "; name its first prices by --prices or --index");
        }
        PriceIndex index = sources.load(console.err());
        try (CommandProgress progress = new CommandProgress(console, "starting")) {
            progress.at("writing the snapshot", 0, 0);
            return PriceStore.create(at, index, options);
        }
    }

    /** Returns whether the command line names a folder that holds a store. */
    boolean exists() {
        return folder != null && PriceStore.exists(folder);
    }

    /** Returns the same options with as many workers of updates as may wait for one force of the log together. */
    static HttpOptions grouping(HttpOptions options) {
        HttpOptions.Workers one = Objects.requireNonNull(options.workers().get(Route.Pool.UPDATE), "update");
        return options.withWorkers(
                Route.Pool.UPDATE, new HttpOptions.Workers(GROUPED_UPDATES, one.queue(), one.deadline()));
    }

    static void measure(PriceStore store, Metrics metrics) {
        metrics.gauge(
                "touchstone.index.snapshot.version",
                "Version that the snapshot of the store contains",
                () -> store.stats().snapshotVersion());
        metrics.gauge(
                "touchstone.index.log.bytes",
                "Bytes of updates in the log of the store that no snapshot contains",
                () -> store.stats().logBytes());
        metrics.gauge(
                "touchstone.index.snapshot.failures",
                "Snapshots that failed in the background",
                () -> store.stats().snapshotFailures());
    }
}
