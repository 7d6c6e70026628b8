package dev.touchstone.index.server.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate for localhost and its key, made by the JDK's keytool, as files of PEM.
 *
 * @param certificate file of the certificate
 * @param key file of the private key, for its owner only
 * @param trust key store with the certificate, for clients
 */
public record TestIdentity(Path certificate, Path key, KeyStore trust) {
    private static final String PASSWORD = "changeit";

    public static TestIdentity create(Path folder, String algorithm) throws Exception {
        Path store = folder.resolve(algorithm + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: algorithm=" + algorithm + " exit=" + keytool.exitValue());
        }
        KeyStore own = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            own.load(in, PASSWORD.toCharArray());
        }
        Path certificate = folder.resolve(algorithm + ".crt");
        Files.writeString(
                certificate, pem("CERTIFICATE", own.getCertificate("own").getEncoded()));
        Path key = Files.createFile(
                folder.resolve(algorithm + ".key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                key,
                pem("PRIVATE KEY", own.getKey("own", PASSWORD.toCharArray()).getEncoded()));
        return new TestIdentity(certificate, key, trust(own));
    }

    private static KeyStore trust(KeyStore own) throws GeneralSecurityException, IOException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", own.getCertificate("own"));
        return trust;
    }

    private static String pem(String kind, byte[] encoded) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }
}
