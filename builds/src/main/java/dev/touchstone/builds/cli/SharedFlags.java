package dev.touchstone.builds.cli;

import dev.touchstone.builds.wire.Nodes;
import dev.touchstone.builds.wire.TlsStore;
import dev.touchstone.messaging.Cookie;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that all commands have: token, TLS, help. The token itself is never an argument, since everybody on the machine can see those. */
final class SharedFlags {
    @Option(
            names = {"-token-file", "--token-file"},
            paramLabel = "FILE",
            description = "File with the token, which only its owner may access. Without it: BUILDS_MASTER_TOKEN_FILE, "
                    + "BUILDS_MASTER_TOKEN, CIDER_MASTER_TOKEN, or master.token in cider.yml.")
    @Nullable
    Path tokenFile;

    @Option(
            names = {"-token", "--token"},
            hidden = true,
            paramLabel = "TOKEN",
            description = "Refused: see -token-file.")
    @Nullable
    String token;

    @Option(
            names = "--tls-keystore",
            paramLabel = "FILE",
            description = "PKCS#12 file with this end's key and certificate, and with the certificates that it trusts; "
                    + "without it, no TLS, and this machine only. Or BUILDS_TLS_KEYSTORE.")
    @Nullable
    Path keyStore;

    @Option(
            names = "--tls-password-file",
            paramLabel = "FILE",
            description = "File with its password. Or BUILDS_TLS_PASSWORD_FILE, or BUILDS_TLS_PASSWORD.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--tick",
            paramLabel = "SECONDS",
            description = "After which silence the other end counts as lost; by default ${DEFAULT-VALUE}.")
    int tickSeconds = 15;

    @Option(
            names = {"-h", "-help", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean isHelpAsked;

    /** Says no to a token on the command line. */
    void refuseArgument() {
        if (token != null) {
            throw new UsageException(
                    "a token on the command line is seen by everybody on this machine: give -token-file, or "
                            + "BUILDS_MASTER_TOKEN or CIDER_MASTER_TOKEN in the environment");
        }
    }

    Nodes.Security security(Settings settings) throws IOException {
        return new Nodes.Security(token(settings), tls(settings), Duration.ofSeconds(tickSeconds));
    }

    private Cookie token(Settings settings) throws IOException {
        Optional<Path> file = file(tokenFile, settings, "MASTER_TOKEN_FILE");
        if (file.isPresent()) {
            return checked(Cookie.fromFile(file.get()));
        }
        String text = settings.find("MASTER_TOKEN")
                .orElseThrow(() -> new UsageException("token is not set: give -token-file, BUILDS_MASTER_TOKEN_FILE, "
                        + "BUILDS_MASTER_TOKEN or CIDER_MASTER_TOKEN"));
        return checked(Cookie.of(text));
    }

    private static Cookie checked(Cookie cookie) {
        if (cookie.isEmpty()) {
            throw new UsageException("token is empty");
        }
        return cookie;
    }

    private static Optional<Path> file(@Nullable Path flag, Settings settings, String name) {
        return flag != null ? Optional.of(flag) : settings.find(name).map(Path::of);
    }

    private Optional<SSLContext> tls(Settings settings) throws IOException {
        Optional<Path> store = file(keyStore, settings, "TLS_KEYSTORE");
        if (store.isEmpty()) {
            return Optional.empty();
        }
        Optional<Path> file = file(passwordFile, settings, "TLS_PASSWORD_FILE");
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
