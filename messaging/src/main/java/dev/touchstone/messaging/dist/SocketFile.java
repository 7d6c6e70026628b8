package dev.touchstone.messaging.dist;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** The file by which a Unix-domain socket is found. It outlives a process that dies, and then stands in the way of the next. */
final class SocketFile {
    private static final String UNIX = "unix";
    private static final int TYPE_BITS = 0170000; // of a file's mode, inode(7)
    private static final int SOCKET = 0140000;

    private SocketFile() {}

    /**
     * Deletes a socket at which nobody listens any more.
     *
     * @throws FileAlreadyExistsException if there is a file that is no socket
     * @throws BindException if somebody listens there
     */
    static void clear(UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(file)) {
            throw new FileAlreadyExistsException(file.toString(), null, "is no socket, so it is left as it is");
        }
        if (isListenedAt(address)) {
            throw new BindException("somebody listens there already: socket=" + file);
        }
        Files.deleteIfExists(file);
    }

    /** Takes the rights to a new socket from everybody but its owner: the umask would leave some to others. */
    static void restrict(UnixDomainSocketAddress address) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(address.getPath(), PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString("rw-------"));
        }
    }

    private static boolean isSocket(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains(UNIX)) {
            int mode = (Integer) Files.getAttribute(file, UNIX + ":mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & TYPE_BITS) == SOCKET;
        }
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther();
    }

    private static boolean isListenedAt(UnixDomainSocketAddress address) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            boolean unused = channel.connect(address); // false where its queue is full
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }
}
