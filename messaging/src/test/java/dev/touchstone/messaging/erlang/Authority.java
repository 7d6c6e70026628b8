package dev.touchstone.messaging.erlang;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority in a folder, and the one certificate of {@code localhost} that it has signed; made by {@code keytool}. */
final class Authority {
    private static final String PASSWORD = "changeit";

    private final Path folder;
    private final KeyStore root;
    private final KeyStore node;

    private Authority(Path folder, KeyStore root, KeyStore node) {
        this.folder = folder;
        this.root = root;
        this.node = node;
    }

    static Authority in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Files.createDirectories(folder);
        Path roots = folder.resolve("root.p12");
        Path nodes = folder.resolve("node.p12");
        String request = folder.resolve("node.csr").toString();
        Path signed = folder.resolve("node.crt");
        keytool(roots, "-genkeypair", "-alias", "root", "-keyalg", "RSA", "-dname", "CN=root", "-ext", "bc:c");
        keytool(nodes, "-genkeypair", "-alias", "node", "-keyalg", "RSA", "-dname", "CN=localhost");
        keytool(nodes, "-certreq", "-alias", "node", "-file", request);
        keytool(
                roots,
                "-gencert",
                "-rfc",
                "-alias",
                "root",
                "-ext",
                "san=dns:localhost",
                "-infile",
                request,
                "-outfile",
                signed.toString());
        KeyStore root = load(roots);
        KeyStore node = load(nodes);
        Key key = node.getKey("node", PASSWORD.toCharArray());
        Certificate[] chain = {certificate(signed), root.getCertificate("root")};
        node.setKeyEntry("node", key, PASSWORD.toCharArray(), chain);
        writePem(folder.resolve("root.crt"), "CERTIFICATE", chain[1].getEncoded());
        writePem(folder.resolve("node.key"), "PRIVATE KEY", key.getEncoded());
        return new Authority(folder, root, node);
    }

    /** For a node of ours that knows, and is known to, itself only. */
    static SSLContext strangers(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("stranger.p12");
        keytool(store, "-genkeypair", "-alias", "node", "-keyalg", "RSA", "-dname", "CN=localhost");
        return context(load(store), load(store));
    }

    private static void keytool(Path store, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        ErlangInstall.run(command.toArray(new String[0]));
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static void writePem(Path file, String what, byte[] bytes) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
    }

    /** For our nodes: shows the certificate, and trusts those that the authority signed. */
    SSLContext context() throws GeneralSecurityException {
        return context(node, root);
    }

    private static SSLContext context(KeyStore own, KeyStore trusted) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Flags of {@code erl} for the same: both ends prove who they are. */
    String[] flags() throws IOException {
        String files = String.format(
                Locale.ROOT,
                "{certfile,\"%1$s/node.crt\"},{keyfile,\"%1$s/node.key\"},{cacertfile,\"%1$s/root.crt\"},{verify,verify_peer}",
                folder);
        Path options = folder.resolve("ssl_dist.conf");
        Files.writeString(
                options,
                "[{server,[" + files + ",{fail_if_no_peer_cert,true}]},{client,[" + files + "]}].\n",
                StandardCharsets.UTF_8);
        return new String[] {"-proto_dist", "inet_tls", "-ssl_dist_optfile", options.toString()};
    }
}
