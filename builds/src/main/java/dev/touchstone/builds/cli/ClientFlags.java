package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.origin.OriginAddress;
import dev.touchstone.builds.origin.OriginClient;
import dev.touchstone.builds.wire.Security;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that connect to a master as a client. */
final class ClientFlags {
    @Mixin
    SharedFlags shared = new SharedFlags();

    @Option(
            names = {"-master", "--master"},
            paramLabel = "URL",
            description =
                    "Address of the master: builds://host:port, or ws://host:port/connect for the protocol of the program that "
                            + "this one replaces. Default: BUILDS_MASTER_URL or CIDER_MASTER_URL in the "
                            + "environment, or master.url in cider.yml.")
    Optional<String> master = Optional.empty();

    /** Connects, and warns of a token on the command line; the caller closes the client. */
    BuildClient connect(Settings settings, PrintWriter err) throws IOException, InterruptedException {
        shared.warn(err);
        return connect(settings);
    }

    /** Connects; the caller closes the client. */
    BuildClient connect(Settings settings) throws IOException, InterruptedException {
        return connect(options(settings));
    }

    /** Connects, by the protocol that the address names; the caller closes the client. */
    BuildClient connect(ConnectOptions options) throws InterruptedException {
        return OriginAddress.isOne(options.master())
                ? OriginClient.connect(options)
                : BuildClientFactory.connect(options);
    }

    ConnectOptions options(Settings settings) throws IOException {
        String url = settings.require(master, "MASTER_URL", "master");
        Security known = shared.security(settings);
        ConnectOptions defaults = ConnectOptions.of(url, known.token());
        return new ConnectOptions(
                url, known.token(), known.tls(), known.tick(), defaults.connectTimeout(), defaults.patience());
    }

    /** Waits for an answer of the master. */
    static <T> T get(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BuildException known) {
                throw known;
            }
            if (e.getCause() instanceof IOException known) {
                throw known;
            }
            if (e.getCause() instanceof UncheckedIOException known) { // of a visitor that cannot write
                throw known.getCause();
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
