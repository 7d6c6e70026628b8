package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code build}: makes a store or an index file of prices. */
@Command(
        name = "build",
        description = {
            "Makes a store or an index file of the prices of a file.",
            "",
            "A store that exists is not touched; an index file that exists is replaced as a whole."
        },
        exitCodeList = {
            "0:The store or the file is on the device.",
            "2:The command line, or a value or file that it names, cannot be used; the store may exist.",
            "3:Another process has the store open.",
            "4:A file is damaged, has more bad rows than --max-errors allows, or has no prices.",
            "5:The machine failed."
        })
final class BuildCommand implements Callable<Integer> {
    /** Options for the target, exactly one of which must be given. */
    static final class Target {
        @Option(names = "--store", paramLabel = "DIR", description = "Folder of the new store.")
        @Nullable
        Path store;

        @Option(names = "--output", paramLabel = "FILE", description = "Index file to write.")
        @Nullable
        Path output;
    }

    @ArgGroup(multiplicity = "1")
    Target target = new Target();

    @Mixin
    SourceOptions sources = new SourceOptions();

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    private final Console console;

    BuildCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (!sources.isGiven()) {
            throw new UsageException("no source: expected --prices or --index");
        }
        Path store = target.store;
        if (store != null && PriceStore.exists(store)) {
            throw new FileAlreadyExistsException(store.toString(), null, "holds a store already; name a new folder");
        }
        SourceOptions.refuseFolder("--output", target.output);
        PriceIndex index = sources.load(console.err());
        try (CommandProgress progress = new CommandProgress(console, "starting")) {
            progress.at("writing the index", 0, 0);
            Path written;
            if (store != null) {
                PriceStore.create(store, index, StoreOptions.DEFAULT).close();
                written = store;
            } else {
                written = Objects.requireNonNull(target.output, "--output");
                index.write(written);
            }
            new CommandOutput()
                    .with(store != null ? "store" : "file", written.toString())
                    .with("version", index.version())
                    .with("prices", index.stats().prices())
                    .print(console.out(), isJson);
        }
        return ExitCode.OK;
    }
}
