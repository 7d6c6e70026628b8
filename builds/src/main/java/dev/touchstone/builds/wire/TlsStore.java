package dev.touchstone.builds.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A PKCS#12 file with the key that one end shows, and the certificates that it trusts. */
public final class TlsStore {
    private static final int MAX_PASSWORD_BYTES = 1024;

    private TlsStore() {}

    /**
     * Reads the context that connections are made with; both ends need one.
     *
     * @throws IOException if the file cannot be read, or is none
     */
    public static SSLContext load(Path file, char[] password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            shown.init(store, password);
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (NoSuchFileException e) {
            throw new IOException("no such key store: file=" + file + "; check the path", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException("key store cannot be used: file=" + file + " cause=" + e.getMessage(), e);
        }
    }

    /** Reads the first line of a file. */
    public static char[] password(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_PASSWORD_BYTES);
        } catch (NoSuchFileException e) {
            throw new IOException("no such password file: file=" + file + "; check the path", e);
        } catch (IOException e) {
            throw new IOException("password file cannot be read: file=" + file + " cause=" + e.getMessage(), e);
        }
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        char[] password = new String(bytes, 0, end, StandardCharsets.UTF_8).toCharArray();
        Arrays.fill(bytes, (byte) 0);
        return password;
    }
}
