package dev.touchstone.index.server;

import dev.touchstone.cli.UsageException;
import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.access.AccessException;
import dev.touchstone.index.server.access.TlsIdentity;
import dev.touchstone.index.server.access.Tokens;
import dev.touchstone.index.server.http.HttpOptions;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for who may ask the service for what. A token is never an argument, since all users of the machine can see those. */
final class AccessFlags {
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File of bearer tokens, accessible by its owner only. Each line has roles (search, update, admin), "
                            + "separated by commas, and a token. Without it, requests need no token.")
    @Nullable
    Path tokenFile;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file of the certificate of the service, followed by those of its issuers. Requires "
                    + "--tls-key. Without both there is no TLS.")
    @Nullable
    Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file of the private key (PKCS#8, without a password), accessible by its owner only.")
    @Nullable
    Path tlsKey;

    @Option(
            names = "--allowed-host",
            paramLabel = "NAME",
            description =
                    "Name by which clients may ask the service, in addition to localhost and the addresses at which "
                            + "it listens. May be given several times.")
    Set<String> hosts = new LinkedHashSet<>();

    @Option(
            names = "--cors-origin",
            paramLabel = "ORIGIN",
            description =
                    "Origin, such as https://shop.example, whose pages may use the service from a browser. May be "
                            + "given several times.")
    Set<String> origins = new LinkedHashSet<>();

    @Option(names = "--insecure", description = "Listen beyond this machine without tokens or without TLS.")
    boolean isInsecure;

    /** Returns options with the rules and the identity that the command line gives. */
    HttpOptions apply(HttpOptions options) throws AccessException {
        Access access = Access.DEFAULT
                .withTokens(tokenFile == null ? Tokens.NONE : Tokens.fromFile(tokenFile))
                .withHosts(hosts)
                .withOrigins(origins)
                .withExposure(isInsecure);
        return options.withAccess(access).withTls(identity());
    }

    private @Nullable TlsIdentity identity() throws AccessException {
        Path certificate = tlsCertificate;
        Path key = tlsKey;
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new UsageException(
                    "--tls-certificate and --tls-key: expected both or none, got one; a certificate needs its key");
        }
        return TlsIdentity.fromFiles(certificate, key);
    }
}
