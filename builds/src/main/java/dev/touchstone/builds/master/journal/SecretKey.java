package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.file.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of a master's folder, by which secrets are encrypted before they enter the journal. Thread-safe.
 *
 * <pre>
 *   secrets.key, numbers big-endian, the checksum of all before it
 *   0        4        5                37       41
 *   +--------+--------+----------------+--------+
 *   | "TSBK" | version| key            | CRC32C |
 *   +--------+--------+----------------+--------+
 *
 *   sealed secrets of one request
 *   0        1        9        17       29
 *   +--------+--------+--------+--------+---------------------------+
 *   | version| key id | job    | nonce  | AES-256-GCM of the values |     the associated data are the 17 bytes before the nonce
 *   +--------+--------+--------+--------+---------------------------+
 *
 *   values: count i32, then for each a name and a value, each as length i32 and UTF-8
 * </pre>
 *
 * The job is the first of the record that has the request, so that sealed secrets which are moved to another job's record do not open.
 */
public final class SecretKey {
    /** Name of the key file in the master's folder. */
    public static final String FILE = "secrets.key";

    private static final Logger LOG = System.getLogger(SecretKey.class.getName());
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAGIC = 0x5453424b;
    private static final byte VERSION = 1;
    private static final int KEY_BYTES = 32;
    private static final int FILE_BYTES = 41;
    private static final int HEAD_BYTES = 17;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MAX_SET_ASIDE = 1000;

    private final SecretKeySpec key;
    private final long id;

    private SecretKey(byte[] key) throws IOException {
        this.key = new SecretKeySpec(key, "AES");
        try {
            this.id = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key))
                    .getLong();
        } catch (GeneralSecurityException e) {
            throw new IOException("SHA-256 is missing from this JDK", e);
        }
    }

    /**
     * Reads the key of a folder, or creates one. A damaged key file is kept as {@code damaged-secrets.key-N}; the secrets that it sealed are lost.
     *
     * @param folder the master's folder; not null
     * @throws IOException if the file cannot be read or written, or is a symbolic link
     */
    public static SecretKey open(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = read(file);
            if (isWhole(bytes)) {
                return new SecretKey(Arrays.copyOfRange(bytes, 5, 5 + KEY_BYTES));
            }
            Path aside = aside(folder);
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.log(Logger.Level.ERROR, "key file is damaged, jobs with secrets will fail: file=" + aside);
        }
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        write(file, key);
        return new SecretKey(key);
    }

    private static byte[] read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES + 1);
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {
                // on
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static boolean isWhole(byte[] bytes) {
        if (bytes.length != FILE_BYTES) {
            return false;
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        return fields.getInt() == MAGIC && fields.get() == VERSION && fields.getInt(FILE_BYTES - 4) == checksum(bytes);
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, FILE_BYTES - 4);
        return (int) crc.getValue();
    }

    private static Path aside(Path folder) throws IOException {
        for (int i = 1; i < MAX_SET_ASIDE; i++) {
            Path free = folder.resolve("damaged-" + FILE + "-" + i);
            if (!Files.exists(free, LinkOption.NOFOLLOW_LINKS)) {
                return free;
            }
        }
        throw new IOException("too many damaged key files, delete some: folder=" + folder);
    }

    /** Writes the key, which is on the device before the first record that needs it. */
    private static void write(Path file, byte[] key) throws IOException {
        byte[] bytes = new byte[FILE_BYTES];
        ByteBuffer fields = ByteBuffer.wrap(bytes).putInt(MAGIC).put(VERSION).put(key);
        fields.putInt(checksum(bytes));
        OwnerOnly.replace(file, ByteBuffer.wrap(bytes));
    }

    /**
     * Encrypts secrets.
     *
     * @param job number of the job that they are bound to
     * @param values values by their names; not null
     */
    byte[] seal(long job, Map<String, String> values) {
        byte[] head = head(id, job);
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        byte[] encrypted;
        try {
            encrypted = cipher(Cipher.ENCRYPT_MODE, head, nonce).doFinal(encode(values));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is missing from this JDK", e);
        }
        return ByteBuffer.allocate(HEAD_BYTES + NONCE_BYTES + encrypted.length)
                .put(head)
                .put(nonce)
                .put(encrypted)
                .array();
    }

    /**
     * Decrypts secrets.
     *
     * @param job number of the job that they were bound to
     * @throws SecretsLostException if another key has encrypted them, or the bytes are not those of this job
     */
    Map<String, String> open(long job, byte[] sealed) throws SecretsLostException {
        if (sealed.length < HEAD_BYTES + NONCE_BYTES || sealed[0] != VERSION) {
            throw new SecretsLostException("secrets of the job cannot be read: expected version=" + VERSION);
        }
        ByteBuffer fields = ByteBuffer.wrap(sealed);
        if (fields.getLong(1) != id) {
            throw new SecretsLostException(
                    "secrets of the job cannot be read: the key that encrypted them is lost: file=" + FILE
                            + "; submit the job again");
        }
        byte[] head = head(id, job);
        byte[] nonce = Arrays.copyOfRange(sealed, HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
        int from = HEAD_BYTES + NONCE_BYTES;
        try {
            if (Arrays.equals(head, 0, HEAD_BYTES, sealed, 0, HEAD_BYTES)) {
                return decode(cipher(Cipher.DECRYPT_MODE, head, nonce).doFinal(sealed, from, sealed.length - from));
            }
        } catch (GeneralSecurityException | IOException e) {
            // they are not what was sealed
        }
        throw new SecretsLostException(
                "secrets of the job cannot be read: the journal has not what was written for this job; submit the job again");
    }

    /** Returns the number of the job that sealed secrets are bound to; -1 if the bytes are none. */
    static long jobOf(byte[] sealed) {
        return sealed.length < HEAD_BYTES ? -1 : ByteBuffer.wrap(sealed).getLong(9);
    }

    private static byte[] head(long keyId, long job) {
        return ByteBuffer.allocate(HEAD_BYTES)
                .put(VERSION)
                .putLong(keyId)
                .putLong(job)
                .array();
    }

    private Cipher cipher(int mode, byte[] head, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(head);
        return cipher;
    }

    private static byte[] encode(Map<String, String> values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(values.size());
            for (Map.Entry<String, String> each : values.entrySet()) {
                write(out, each.getKey());
                write(out, each.getValue());
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static Map<String, String> decode(byte[] bytes) throws IOException {
        Map<String, String> values = new TreeMap<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            for (int left = in.readInt(); left > 0; left--) {
                String name = read(in);
                String unused = values.put(name, read(in));
            }
        }
        return values;
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("length=" + length + " is more than there is: bytes=" + in.available());
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
