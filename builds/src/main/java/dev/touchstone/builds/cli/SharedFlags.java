package dev.touchstone.builds.cli;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.origin.OriginAddress;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.builds.wire.TlsStore;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that all commands have: token and TLS. A token that is an argument works as it did in the original, and is warned of. */
final class SharedFlags {
    /** Longest time that an option takes, in seconds: a year. */
    static final long MAX_SECONDS = 31_536_000;

    private static final String TOKEN_FILE = "MASTER_TOKEN_FILE";
    private static final String KEY_STORE = "TLS_KEYSTORE";
    private static final String PASSWORD_FILE = "TLS_PASSWORD_FILE";

    @Option(
            names = {"-token-file", "--token-file"},
            paramLabel = "FILE",
            description = "File with the token, accessible by its owner only. Default: BUILDS_MASTER_TOKEN_FILE, "
                    + "BUILDS_MASTER_TOKEN or CIDER_MASTER_TOKEN in the environment, or master.token in cider.yml.")
    @Nullable
    Path tokenFile;

    @Option(
            names = {"-token", "--token"},
            paramLabel = "TOKEN",
            description = "The token itself. All users of this machine can see it: -token-file is better.")
    @Nullable
    String token;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "PKCS#12 file with the own key and certificate and the trusted certificates. Default: "
                    + "BUILDS_TLS_KEYSTORE in the environment. Without both there is no TLS, and only this machine can "
                    + "connect.")
    @Nullable
    Path keyStore;

    @Option(
            names = "--tls-password-file",
            paramLabel = "FILE",
            description =
                    "File with the password of the PKCS#12 file. Default: BUILDS_TLS_PASSWORD_FILE or BUILDS_TLS_PASSWORD "
                            + "in the environment.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--tick",
            paramLabel = "SECONDS",
            description = "Idle timeout before the peer is considered lost. Default: ${DEFAULT-VALUE}.")
    int tickSeconds = 15;

    /** Warns of a token on the command line. */
    void warn(PrintWriter err) {
        if (token != null) {
            err.println(
                    "WARNING: -token: all users of this machine can see the token in the list of processes; give -token-file, or "
                            + "BUILDS_MASTER_TOKEN or CIDER_MASTER_TOKEN in the environment");
        }
    }

    /** Warns of an address to which a token would be sent for others to read. */
    static void warnOf(OriginAddress master, PrintWriter err) {
        if (master.isOpenToOthers()) {
            err.println(
                    "WARNING: ws:// has no encryption: whoever is on the way to the master reads the token, variables and output; "
                            + "use wss:// or builds:// with TLS");
        }
    }

    Security security(Settings settings) throws IOException {
        return new Security(token(settings), tls(settings), tick());
    }

    Duration tick() {
        Ranges.check("--tick", tickSeconds, 1, Integer.MAX_VALUE);
        return Duration.ofSeconds(tickSeconds);
    }

    /** Returns whether options or the environment name a token, whether it can be used or not. */
    boolean hasToken(Settings settings) {
        return token != null
                || tokenPath(settings).isPresent()
                || settings.find("MASTER_TOKEN").isPresent();
    }

    /** Returns the files with secrets that options or the environment name. */
    List<Path> secretFiles(Settings settings) {
        return Stream.of(
                        file(tokenFile, settings, TOKEN_FILE),
                        file(keyStore, settings, KEY_STORE),
                        file(passwordFile, settings, PASSWORD_FILE))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the file of the token that options or the environment name, whether it exists or not. */
    Optional<Path> tokenPath(Settings settings) {
        if (token != null && tokenFile == null) {
            return Optional.empty();
        }
        return tokenFile != null
                ? Optional.of(tokenFile)
                : settings.find(TOKEN_FILE).map(Path::of);
    }

    /** Throws a {@link UsageException} that says why the token cannot be used, if so. */
    void checkToken(Settings settings) {
        Token unused = token(settings);
    }

    private Token token(Settings settings) {
        if (token != null && tokenFile != null) {
            throw new UsageException("-token and -token-file: give one of them");
        }
        Optional<Path> file = token == null ? file(tokenFile, settings, TOKEN_FILE) : Optional.empty();
        if (file.isPresent()) {
            try {
                return Token.fromFile(file.get());
            } catch (IOException e) {
                throw new UsageException(FailureMessages.describe(e), e);
            }
        }
        String text = settings.find(Optional.ofNullable(token), "MASTER_TOKEN")
                .orElseThrow(() -> new UsageException("token is not set: give -token-file, BUILDS_MASTER_TOKEN_FILE, "
                        + "BUILDS_MASTER_TOKEN or CIDER_MASTER_TOKEN"));
        try {
            return Token.of(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(FailureMessages.describe(e), e);
        }
    }

    private static Optional<Path> file(@Nullable Path flag, Settings settings, String name) {
        Optional<Path> file =
                flag != null ? Optional.of(flag) : settings.find(name).map(Path::of);
        if (file.isPresent() && !Files.isRegularFile(file.get())) {
            String state = Files.exists(file.get()) ? "not a file" : "no such file";
            throw new UsageException(state + ": path=" + file.get() + "; check the option or " + Settings.OURS + name);
        }
        return file;
    }

    Optional<SSLContext> tls(Settings settings) throws IOException {
        Optional<Path> store = file(keyStore, settings, KEY_STORE);
        if (store.isEmpty()) {
            return Optional.empty();
        }
        Optional<Path> file = file(passwordFile, settings, PASSWORD_FILE);
        char[] password = file.isPresent()
                ? TlsStore.password(file.get())
                : settings.find("TLS_PASSWORD")
                        .map(String::toCharArray)
                        .orElseThrow(
                                () -> new UsageException(
                                        "password of the key store is not set: give --tls-password-file or BUILDS_TLS_PASSWORD"));
        return Optional.of(TlsStore.load(store.get(), password));
    }
}
