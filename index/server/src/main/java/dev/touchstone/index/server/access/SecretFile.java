package dev.touchstone.index.server.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Methods that read small files which hold or prove identities. Stateless. */
final class SecretFile {
    private static final int MAX_BYTES = 1 << 20;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private SecretFile() {}

    /**
     * Returns the bytes of a file that only its owner may access.
     *
     * @param what noun for the contents, for messages
     * @throws AccessException if the file is missing, cannot be read, is too large, or is accessible by others than its owner
     */
    static byte[] read(Path file, String what) throws AccessException {
        return read(file, what, true);
    }

    /**
     * Returns the bytes of a file that everybody may read.
     *
     * @param what noun for the contents, for messages
     * @throws AccessException if the file is missing, cannot be read, or is too large
     */
    static byte[] readPublic(Path file, String what) throws AccessException {
        return read(file, what, false);
    }

    private static byte[] read(Path file, String what, boolean isSecret) throws AccessException {
        Set<PosixFilePermission> permissions;
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            permissions = isSecret ? permissions(file) : Set.of();
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new AccessException("no such file: " + what + "=" + file + "; check the path", e);
        } catch (AccessDeniedException e) {
            throw new AccessException("file cannot be read: " + what + "=" + file + " cause=permission denied", e);
        } catch (IOException e) {
            throw new AccessException("file cannot be read: " + what + "=" + file + " cause=" + e.getMessage(), e);
        }
        if (!OWNERS.containsAll(permissions)) {
            throw new AccessException("file must be accessible by its owner only: " + what + "=" + file
                    + " permissions=" + PosixFilePermissions.toString(permissions) + "; change them with chmod 600");
        }
        if (bytes.length > MAX_BYTES) {
            throw new AccessException("file is too large: " + what + "=" + file + " max=" + MAX_BYTES + " bytes");
        }
        return bytes;
    }

    /** Returns the permissions of a file; none where the file system has no such permissions. */
    private static Set<PosixFilePermission> permissions(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, new LinkOption[0]);
        return view == null ? Set.of() : view.readAttributes().permissions();
    }
}
