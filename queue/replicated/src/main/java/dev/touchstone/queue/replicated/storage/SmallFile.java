package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** A small text file that is replaced as a whole, and whose last line is a checksum of all others: {@code crc} and 8 hexadecimal digits. */
public final class SmallFile {
    /** Suffix of the name that a new text has until it is on the device. */
    public static final String TEMPORARY_SUFFIX = ".tmp";

    private static final Pattern SEAL = Pattern.compile("crc [0-9a-f]{8}\n");
    private static final int SEAL_CHARS = 13;

    private SmallFile() {}

    /**
     * Replaces a file, which its owner alone can read; on return the new text is on the device.
     *
     * @param text the text without its checksum
     * @throws IOException if it cannot be written, as on a full disk; names the file
     */
    public static void write(FileIo io, Path file, String text) throws IOException {
        try {
            replace(io, file, sealed(text));
        } catch (IOException e) {
            throw new IOException("the file cannot be written: file=" + file + ": " + e.getMessage(), e);
        }
    }

    private static void replace(FileIo io, Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
        io.delete(temporary);
        try (FileIo.DataFile data = io.create(temporary, FileIo.Access.WRITE)) {
            data.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            data.force();
        }
        io.rename(temporary, file);
        if (folder != null) {
            io.forceFolder(folder);
        }
    }

    /**
     * Returns a file's text without its checksum.
     *
     * @throws CorruptLogException if the file is longer than {@code maxBytes}, or its checksum is another one
     * @throws IOException if it cannot be read
     */
    public static String read(FileIo io, Path file, int maxBytes) throws IOException {
        try (FileIo.DataFile data = io.open(file, FileIo.Access.READ)) {
            long bytes = data.size();
            if (bytes > maxBytes) {
                throw new CorruptLogException(file, 0, "length", "at most " + maxBytes + " bytes", bytes);
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) bytes);
            data.read(buffer, 0);
            return opened(file, StandardCharsets.UTF_8.decode(buffer.flip()).toString());
        }
    }

    /** Returns a text with its checksum behind it. */
    public static String sealed(String text) {
        return text + "crc " + crc(text.getBytes(StandardCharsets.UTF_8)) + "\n";
    }

    /** Returns the CRC-32C of bytes as 8 hexadecimal digits. */
    static String crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /**
     * Returns a text without the checksum that it has behind it.
     *
     * @param file file that has the text
     * @throws CorruptLogException if the checksum is another one
     */
    private static String opened(Path file, String sealed) throws CorruptLogException {
        int end = Math.max(0, sealed.length() - SEAL_CHARS);
        String text = sealed.substring(0, end);
        if (!sealed.equals(sealed(text))) {
            String last = sealed.substring(end);
            throw new CorruptLogException(
                    file,
                    end,
                    "checksum",
                    sealed(text).substring(end).strip(),
                    SEAL.matcher(last).matches() ? last.strip() : "none");
        }
        return text;
    }
}
