package dev.touchstone.messaging.samples;

import dev.touchstone.messaging.NodeBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Nodes that talk in TLS, as Erlang's do with {@code -proto_dist inet_tls}: each shows its certificate, and lets in whom it trusts and who
 * has the cookie.
 */
final class Tls {
    private Tls() {}

    /** The same node in TLS, with the key and the trusted certificates of a key store. */
    static NodeBuilder in(Path keyStore, char[] password, NodeBuilder node)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore)) {
            store.load(in, password);
        }
        KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        shown.init(store, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
        return node.tls(context);
    }
}
