package dev.touchstone.index.server;

import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.access.AccessException;
import dev.touchstone.index.server.access.Tokens;
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

    /** Returns the rules that the options give. */
    Access access() throws AccessException {
        return Access.DEFAULT
                .withTokens(tokenFile == null ? Tokens.NONE : Tokens.fromFile(tokenFile))
                .withHosts(hosts)
                .withOrigins(origins)
                .withExposure(isInsecure);
    }
}
