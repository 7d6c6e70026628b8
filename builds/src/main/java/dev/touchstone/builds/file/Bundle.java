package dev.touchstone.builds.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The list of the files in a bundle, by which these travel as one: the list is the bundle's beginning, and the files follow in its order. Immutable.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+---------------------------------------------+--------+
 *   | "TSBA" | version| bytes  | files  | n u16, name of n bytes, size i64, SHA-256 x | SHA-256|   numbers big-endian, names UTF-8
 *   +--------+--------+--------+--------+---------------------------------------------+--------+   the last digest is of all before it
 *                       of all of this                     files times
 * </pre>
 *
 * @param items the files
 */
public record Bundle(List<Item> items) {
    /** Maximum number of files. */
    public static final int MAX_FILES = 100_000;

    /** Maximum length of the list in bytes. */
    public static final int MAX_LIST_BYTES = 8 << 20;

    /** Bytes of a digest. */
    static final int DIGEST_BYTES = 32;

    private static final int MAGIC = 0x54534241;
    private static final int VERSION = 1;
    private static final int HEAD_BYTES = 16;
    private static final int ITEM_BYTES = Short.BYTES + Long.BYTES + DIGEST_BYTES;
    private static final int COPY_BYTES = 64 << 10;

    /**
     * A file.
     *
     * @param name relative path, as {@link RelativePath#check} accepts it
     * @param size in bytes
     * @param sha256 digest of the content, 64 hexadecimal digits in lower case
     */
    public record Item(String name, long size, String sha256) {}

    /**
     * Checks what it is given.
     *
     * @throws IllegalArgumentException if a name is none, stands twice, or is also that of a folder of another
     */
    public Bundle {
        items = List.copyOf(items);
        Set<String> names = new HashSet<>();
        for (Item item : items) {
            if (!names.add(RelativePath.check("file", item.name()))) {
                throw RelativePath.refused("file", item.name(), "expected each name once");
            }
        }
        for (Item item : items) {
            int slash = item.name().indexOf('/');
            while (slash > 0) {
                if (names.contains(item.name().substring(0, slash))) {
                    throw RelativePath.refused("file", item.name(), "expected no file in the place of its folder");
                }
                slash = item.name().indexOf('/', slash + 1);
            }
        }
    }

    /** Returns the bytes of all files together. */
    public long contentBytes() {
        return items.stream().mapToLong(Item::size).sum();
    }

    /** Returns the bytes that the list of files with these names has. */
    static int listBytes(List<byte[]> names) throws IOException {
        long bytes = HEAD_BYTES + DIGEST_BYTES;
        for (byte[] name : names) {
            bytes += ITEM_BYTES + name.length;
        }
        if (bytes > MAX_LIST_BYTES) {
            throw new IOException("names of files are too long together: bytes=" + bytes + " most=" + MAX_LIST_BYTES);
        }
        return (int) bytes;
    }

    /** Returns the list as bytes. */
    public byte[] encode() throws IOException {
        List<byte[]> names = new ArrayList<>();
        items.forEach(item -> names.add(item.name().getBytes(StandardCharsets.UTF_8)));
        ByteBuffer bytes = ByteBuffer.allocate(listBytes(names));
        bytes.putInt(MAGIC).putInt(VERSION).putInt(bytes.capacity()).putInt(items.size());
        for (int i = 0; i < items.size(); i++) {
            bytes.putShort((short) names.get(i).length).put(names.get(i));
            bytes.putLong(items.get(i).size())
                    .put(HexFormat.of().parseHex(items.get(i).sha256()));
        }
        MessageDigest digest = sha256();
        digest.update(bytes.array(), 0, bytes.position());
        return bytes.put(digest.digest()).array();
    }

    /**
     * Returns the list that bytes are.
     *
     * @throws IOException if they are none, or damaged
     */
    public static Bundle decode(byte[] list) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(list);
        int body = list.length - DIGEST_BYTES;
        if (list.length < HEAD_BYTES + DIGEST_BYTES || listBytes(bytes) != list.length) {
            throw new IOException("list of files is cut off: bytes=" + list.length);
        }
        MessageDigest digest = sha256();
        digest.update(list, 0, body);
        if (!MessageDigest.isEqual(digest.digest(), Arrays.copyOfRange(list, body, list.length))) {
            throw new IOException("list of files is damaged: bytes=" + list.length);
        }
        bytes.limit(body);
        int count = bytes.getInt();
        List<Item> items = new ArrayList<>();
        long content = 0;
        for (int i = 0; i < count; i++) {
            Item item = item(bytes);
            if (item.size() > Long.MAX_VALUE - content) {
                throw new IOException("list of files has sizes that are too large together: size=" + item.size());
            }
            content += item.size();
            items.add(item);
        }
        try {
            return new Bundle(items);
        } catch (IllegalArgumentException e) {
            throw new IOException("list of files has a wrong name: " + e.getMessage(), e);
        }
    }

    private static Item item(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining() < ITEM_BYTES ? -1 : bytes.getShort() & 0xffff;
        if (length < 0 || bytes.remaining() < ITEM_BYTES - Short.BYTES + length) {
            throw new IOException(
                    "list of files is cut off: bytes left=" + bytes.remaining() + " bytes of a name=" + length);
        }
        byte[] name = new byte[length];
        bytes.get(name);
        if (!RelativePath.isUtf8(name)) {
            throw new IOException("list of files has a name that is not UTF-8");
        }
        long size = bytes.getLong();
        byte[] digest = new byte[DIGEST_BYTES];
        bytes.get(digest);
        if (size < 0) {
            throw new IOException("list of files has a negative size: size=" + size);
        }
        return new Item(
                new String(name, StandardCharsets.UTF_8), size, HexFormat.of().formatHex(digest));
    }

    /** Reads the head of a list up to the items; returns the bytes of the whole list. */
    private static int listBytes(ByteBuffer head) throws IOException {
        int magic = head.getInt();
        int version = head.getInt();
        int bytes = head.getInt();
        if (magic != MAGIC || version != VERSION || bytes < HEAD_BYTES + DIGEST_BYTES || bytes > MAX_LIST_BYTES) {
            throw new IOException("no list of files: magic=" + Integer.toHexString(magic) + " version=" + version
                    + " bytes=" + bytes);
        }
        return bytes;
    }

    /**
     * Reads the list at the beginning of a bundle.
     *
     * @param in the bundle; left behind the list
     * @throws IOException if it cannot be read, or does not begin with a list
     */
    public static Bundle read(FileChannel in) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        fill(in, head);
        int bytes = listBytes(head.flip());
        ByteBuffer list = ByteBuffer.allocate(bytes).put(head.rewind());
        fill(in, list);
        return decode(list.array());
    }

    private static void fill(FileChannel in, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (in.read(into) < 0) {
                throw new IOException("bundle is cut off: bytes=" + in.size());
            }
        }
    }

    /**
     * Copies the next file of a bundle, and checks it.
     *
     * @param in the bundle, at the file's beginning; left behind its end
     * @param item what the list says of the file; not null
     * @param out takes the content
     * @throws IOException if it cannot be copied, or is not what the list says
     */
    public static void copy(FileChannel in, Item item, FileChannel out) throws IOException {
        MessageDigest digest = sha256();
        ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
        for (long left = item.size(); left > 0; left -= buffer.limit()) {
            buffer.clear().limit((int) Math.min(COPY_BYTES, left));
            fill(in, buffer);
            digest.update(buffer.array(), 0, buffer.limit());
            buffer.flip();
            while (buffer.hasRemaining()) {
                int unused = out.write(buffer);
            }
        }
        String got = HexFormat.of().formatHex(digest.digest());
        if (!got.equals(item.sha256())) {
            throw new IOException("file is damaged: name=" + RelativePath.shown(item.name()) + " expected sha256="
                    + item.sha256() + " got=" + got);
        }
    }

    /** Returns a new digest of the kind that bundles have. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each Java has SHA-256", e);
        }
    }
}
