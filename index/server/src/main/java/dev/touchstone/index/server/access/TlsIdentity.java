package dev.touchstone.index.server.access;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The certificate and the private key by which a service proves who it is. Immutable. The key is never printed. */
public final class TlsIdentity {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");
    private static final byte[] PROBE = "Touchstone".getBytes(StandardCharsets.US_ASCII);

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    private TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    /**
     * Reads an identity from two files of PEM.
     *
     * @param certificate file of the certificate, followed by those of its issuers if any
     * @param key file of the private key, in PKCS#8 and without a password, accessible by its owner only
     * @return identity whose key belongs to its certificate
     * @throws AccessException if a file is missing or holds something else, if the key does not belong to the certificate, or if the key file is accessible
     *     by others than its owner; the message names the file
     */
    public static TlsIdentity fromFiles(Path certificate, Path key) throws AccessException {
        List<X509Certificate> chain = chain(certificate);
        PublicKey shown = chain.get(0).getPublicKey();
        PrivateKey own = key(key, shown.getAlgorithm());
        if (!isPair(own, shown)) {
            throw new AccessException("key does not belong to the certificate: tls-key=" + key + " tls-certificate="
                    + certificate + "; give the key of the first certificate in the file");
        }
        return new TlsIdentity(own, chain);
    }

    private static List<X509Certificate> chain(Path file) throws AccessException {
        byte[] bytes = SecretFile.readPublic(file, "tls-certificate");
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Certificate each : factory.generateCertificates(new ByteArrayInputStream(bytes))) {
                chain.add((X509Certificate) each);
            }
        } catch (GeneralSecurityException e) {
            throw new AccessException(
                    "certificate cannot be read: tls-certificate=" + file + " cause=" + e.getMessage(), e);
        }
        if (chain.isEmpty()) {
            throw new AccessException(
                    "file has no certificate: tls-certificate=" + file + "; expected PEM, BEGIN CERTIFICATE");
        }
        return chain;
    }

    private static PrivateKey key(Path file, String algorithm) throws AccessException {
        String text = new String(SecretFile.read(file, "tls-key"), StandardCharsets.US_ASCII);
        Matcher matcher = KEY.matcher(text);
        if (!matcher.find()) {
            throw new AccessException(
                    "file has no private key: tls-key=" + file
                            + "; expected PEM of PKCS#8 without a password, BEGIN PRIVATE KEY, as openssl pkcs8 -topk8 -nocrypt writes it");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // the cause is left out, for its message may quote the key
            throw new AccessException("private key cannot be read: tls-key=" + file + "; expected algorithm="
                    + algorithm + ", as the certificate has");
        }
    }

    /** Returns whether what the private key signs is what the public key verifies. */
    private static boolean isPair(PrivateKey own, PublicKey shown) throws AccessException {
        String algorithm = shown.getAlgorithm().toUpperCase(Locale.ROOT);
        String signature = switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm;
        };
        try {
            Signature signing = Signature.getInstance(signature);
            signing.initSign(own);
            signing.update(PROBE);
            byte[] signed = signing.sign();
            signing.initVerify(shown);
            signing.update(PROBE);
            return signing.verify(signed);
        } catch (GeneralSecurityException e) {
            throw new AccessException("key cannot be used: algorithm=" + algorithm + "; expected RSA, EC or EdDSA", e);
        }
    }

    /**
     * Returns the private key.
     *
     * @return key
     */
    public PrivateKey key() {
        return key;
    }

    /**
     * Returns the certificate, and those of its issuers.
     *
     * @return certificates, at least one, that of the service first
     */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** Returns the name in the certificate. */
    @Override
    public String toString() {
        return "TlsIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
