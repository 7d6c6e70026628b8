package dev.touchstone.queue.replicated.link;

import dev.touchstone.queue.replication.GroupOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The content of a member's files for TLS, which fit each other: the key is that of the certificate, and the authority vouches for it now, as a server
 * and as a client. Immutable.
 */
final class TlsFiles {
    private static final Pattern CERTIFICATE = block("(?:X509 |TRUSTED )?CERTIFICATE");
    private static final Pattern KEY = block("PRIVATE KEY");
    private static final String ANY_EXCHANGE = "UNKNOWN"; // of keys: TLS 1.3 has none that depends on the certificate
    private static final byte[] PROBE =
            "signed by the key, verified by the certificate".getBytes(StandardCharsets.UTF_8);

    private final X509Certificate[] chain;
    private final PrivateKey key;
    private final X509Certificate[] authorities;

    private TlsFiles(X509Certificate[] chain, PrivateKey key, X509Certificate[] authorities) {
        this.chain = chain;
        this.key = key;
        this.authorities = authorities;
    }

    private static Pattern block(String type) {
        return Pattern.compile("-----BEGIN " + type + "-----([A-Za-z0-9+/=\\s]*)-----END " + type + "-----");
    }

    /**
     * Reads the files of a member.
     *
     * @throws IOException if one is missing or not what it should be, or they do not fit each other; the message names it
     */
    static TlsFiles read(GroupOptions.Tls files) throws IOException {
        String certificate = "certificate=" + files.certificate();
        String authority = "authority=" + files.authority();
        X509Certificate[] chain = certificates(certificate, files.certificate());
        X509Certificate[] authorities = certificates(authority, files.authority());
        PrivateKey key = key(files, chain[0].getPublicKey());
        for (X509Certificate each : chain) {
            checkDates(certificate, each);
        }
        try {
            X509TrustManager trust = trust(authorities);
            trust.checkServerTrusted(chain.clone(), ANY_EXCHANGE);
            trust.checkClientTrusted(chain.clone(), ANY_EXCHANGE);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "TLS: " + authority + " does not vouch for " + certificate + ": " + Reasons.of(e, ""), e);
        }
        return new TlsFiles(chain, key, authorities);
    }

    X509Certificate[] chain() {
        return chain.clone();
    }

    PrivateKey key() {
        return key;
    }

    X509Certificate[] authorities() {
        return authorities.clone();
    }

    private static List<byte[]> blocks(String name, Path file, Pattern pattern) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException("TLS: no such file: " + name, e);
        } catch (IOException e) {
            throw new IOException("TLS: the file cannot be read: " + name + ": " + e, e);
        }
        List<byte[]> blocks = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            try {
                blocks.add(Base64.getMimeDecoder().decode(matcher.group(1)));
            } catch (IllegalArgumentException e) {
                throw new IOException("TLS: damaged PEM: " + name + ": " + e.getMessage(), e);
            }
        }
        return blocks;
    }

    private static X509Certificate[] certificates(String name, Path file) throws IOException {
        List<X509Certificate> all = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] block : blocks(name, file, CERTIFICATE)) {
                all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
            }
        } catch (CertificateException e) {
            throw new IOException("TLS: no certificate of X.509: " + name + ": " + Reasons.of(e, ""), e);
        }
        if (all.isEmpty()) {
            throw new IOException("TLS: no certificate found: " + name + ": expected -----BEGIN CERTIFICATE-----");
        }
        return all.toArray(X509Certificate[]::new);
    }

    private static void checkDates(String name, X509Certificate certificate) throws IOException {
        String of = name + " subject=" + certificate.getSubjectX500Principal();
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new IOException(
                    "TLS: the certificate has expired: " + of + " until="
                            + certificate.getNotAfter().toInstant(),
                    e);
        } catch (CertificateNotYetValidException e) {
            throw new IOException(
                    "TLS: the certificate is not valid yet: " + of + " from="
                            + certificate.getNotBefore().toInstant(),
                    e);
        }
    }

    private static PrivateKey key(GroupOptions.Tls files, PublicKey certified) throws IOException {
        String name = "key=" + files.key();
        List<byte[]> blocks = blocks(name, files.key(), KEY);
        if (blocks.isEmpty()) {
            throw new IOException("TLS: no key found: " + name
                    + ": expected -----BEGIN PRIVATE KEY-----, which is PKCS #8 without a password");
        }
        try {
            PrivateKey key = KeyFactory.getInstance(certified.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(blocks.get(0)));
            if (fits(key, certified)) {
                return key;
            }
            throw new IOException("TLS: " + name + " is not the key of certificate=" + files.certificate());
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "TLS: " + name + " is not the key of certificate=" + files.certificate() + ": expected a key of "
                            + certified.getAlgorithm() + ": " + Reasons.of(e, ""),
                    e);
        }
    }

    private static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        Signature signature = signature(certified.getAlgorithm());
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(PROBE);
        return signature.verify(signed);
    }

    private static Signature signature(String algorithm) throws GeneralSecurityException {
        switch (algorithm) {
            case "RSA" -> {
                return Signature.getInstance("SHA256withRSA");
            }
            case "EC" -> {
                return Signature.getInstance("SHA256withECDSA");
            }
            case "RSASSA-PSS" -> {
                Signature signature = Signature.getInstance(algorithm);
                signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
                return signature;
            }
            default -> {
                return Signature.getInstance(algorithm); // as EdDSA
            }
        }
    }

    private static X509TrustManager trust(X509Certificate[] authorities) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.length; i++) {
                store.setCertificateEntry("authority" + i, authorities[i]);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager found) {
                    return found;
                }
            }
            throw new GeneralSecurityException("this Java has no trust manager for X.509");
        } catch (IOException e) {
            throw new IllegalStateException("an empty store is read from nowhere", e);
        }
    }
}
