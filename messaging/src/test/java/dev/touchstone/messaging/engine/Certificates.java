package dev.touchstone.messaging.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Key stores with a certificate that trusts itself, made by the JDK's own {@code keytool}. */
public final class Certificates {
    public static final String PASSWORD = "changeit";

    private Certificates() {}

    /** A new key store in {@code folder}, with one certificate. */
    public static Path store(Path folder, String name) throws IOException, InterruptedException {
        return store(folder, name, "san=dns:localhost");
    }

    private static Path store(Path folder, String name, String extension) throws IOException, InterruptedException {
        Path store = folder.resolve(name + ".p12");
        keytool(List.of(
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + name,
                "-ext",
                extension,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
        return store;
    }

    /** A context that shows, and trusts, the certificate of a new key store in {@code folder}. */
    static SSLContext context(Path folder, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        return context(store(folder, name));
    }

    /** Returns a context as {@link #context(Path, String)} does, with a certificate that names another host. */
    static SSLContext context(Path folder, String name, String host)
            throws IOException, InterruptedException, GeneralSecurityException {
        return context(store(folder, name, "san=dns:" + host));
    }

    private static SSLContext context(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static void keytool(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool failed: " + arguments);
        }
    }
}
