package dev.touchstone.queue.replicated;

import dev.touchstone.queue.replication.GroupOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates that {@code keytool} makes. */
final class Certificates {
    private static final String PASSWORD = "changeit";
    private static final Path KEYTOOL = Path.of(System.getProperty("java.home"), "bin", "keytool");

    private final Path folder;

    /** Makes an authority whose files are in {@code folder}. */
    Certificates(Path folder) throws Exception {
        this.folder = Files.createDirectories(folder);
        keytool(
                "-genkeypair",
                "-alias",
                "authority",
                "-dname",
                "CN=Authority",
                "-ext",
                "bc:c",
                "-keystore",
                file("authority.p12"));
        write(
                "authority.pem",
                "CERTIFICATE",
                certificate("authority.p12", "authority").getEncoded());
    }

    static boolean canMake() {
        return Files.isExecutable(KEYTOOL);
    }

    /** Returns the files of a member whose certificate the authority has signed. */
    GroupOptions.Tls member(String name) throws Exception {
        return member(name, "-0d");
    }

    /** Returns the files of a member whose certificate is valid for two days from {@code start} on, as keytool writes it. */
    GroupOptions.Tls member(String name, String start) throws Exception {
        String store = file(name + ".p12");
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-keystore", store);
        keytool("-certreq", "-alias", name, "-file", file(name + ".csr"), "-keystore", store);
        keytool(
                "-gencert",
                "-alias",
                "authority",
                "-infile",
                file(name + ".csr"),
                "-outfile",
                file(name + ".crt"),
                "-rfc",
                "-startdate",
                start,
                "-keystore",
                file("authority.p12"));
        KeyStore keys = load(name + ".p12");
        write(
                name + ".key",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
        return new GroupOptions.Tls(folder.resolve(name + ".crt"), folder.resolve(name + ".key"), authority());
    }

    /** Returns the file of the authority's certificate. */
    Path authority() {
        return folder.resolve("authority.pem");
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private Certificate certificate(String store, String alias) throws IOException, GeneralSecurityException {
        return load(store).getCertificate(alias);
    }

    private KeyStore load(String store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(store))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private void write(String name, String type, byte[] der) throws IOException {
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        Files.writeString(
                folder.resolve(name),
                "-----BEGIN " + type + "-----\n" + lines.encodeToString(der) + "\n-----END " + type + "-----\n",
                StandardCharsets.US_ASCII);
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(KEYTOOL.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
        if (!command.contains("-certreq")) {
            command.addAll(List.of("-validity", "2"));
        }
        if (command.contains("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        }
        Path log = folder.resolve("keytool.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + Files.readString(log));
        }
    }
}
