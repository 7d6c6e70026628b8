package dev.touchstone.queue.replicated.member;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replicated.storage.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The folder of a member: a random id that is written when the member first starts in it. A member that comes back with another id has lost the
 * entries that it confirmed.
 *
 * @param id 128 random bits as 32 hexadecimal digits
 * @param address address of the member
 */
record Identity(String id, String address) {
    static final String FILE = "member";
    private static final String HEADER = "touchstone-member 1\n";
    private static final int ID_BYTES = 16;
    private static final int MAX_FILE_BYTES = 1_024;
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{32}) (\\S{1,300})");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns the form in which an identity is sent and stored: id, space, address. */
    String text() {
        return id + " " + address;
    }

    /**
     * Returns the identity that has this text.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Identity parse(String text) {
        var matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected 32 hexadecimal digits, a space and an address, got: " + Reasons.shown(text));
        }
        return new Identity(matcher.group(1), matcher.group(2));
    }

    /**
     * Returns the identity that is stored in {@code folder}, or a new one, which is not stored yet, if the folder is empty.
     *
     * @throws IOException if the file cannot be read, belongs to another address, or is missing beside files of a member
     */
    static Identity open(FileIo io, Path folder, String address, boolean isEmpty) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            if (!isEmpty) {
                throw new IOException("the folder has files, but not that of a member's id: expected " + file
                        + ", or an empty folder for a member that is new");
            }
            byte[] random = new byte[ID_BYTES];
            RANDOM.nextBytes(random);
            return new Identity(HexFormat.of().formatHex(random), address);
        }
        Identity stored = read(io, file);
        if (!stored.address.equals(address)) {
            throw new IOException("the folder belongs to another member: expected address " + address + ", got "
                    + stored.address + " in " + file);
        }
        return stored;
    }

    /** Stores the identity in {@code folder}; on return it is on the device. */
    void store(FileIo io, Path folder) throws IOException {
        SmallFile.write(io, folder.resolve(FILE), HEADER + text() + "\n");
    }

    /**
     * Returns the identity that is stored in {@code file}.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    static Identity read(FileIo io, Path file) throws IOException {
        String text = SmallFile.read(io, file, MAX_FILE_BYTES);
        if (!text.startsWith(HEADER) || !text.endsWith("\n")) {
            throw new IOException(
                    "not the file of a member's id: expected the first line " + HEADER.strip() + " in " + file);
        }
        try {
            return parse(text.substring(HEADER.length(), Math.max(HEADER.length(), text.length() - 1)));
        } catch (IllegalArgumentException e) {
            throw new IOException("the file of the member's id is damaged: " + e.getMessage() + " in " + file, e);
        }
    }
}
