package dev.touchstone.builds.agent.log;

import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files of logs: the owner's alone, written in whole. */
final class LogFiles {
    private LogFiles() {}

    static FileChannel create(Path file) throws IOException {
        return OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    static void write(FileChannel file, long at, ByteBuffer bytes) throws IOException {
        long position = at;
        while (bytes.hasRemaining()) {
            position += file.write(bytes, position);
        }
    }

    static int readEnded(Path file, long offset, ByteBuffer into) throws IOException {
        if (offset < 0) {
            throw new IllegalArgumentException("offset=" + offset + " is negative");
        }
        if (!Files.exists(file)) {
            return -1;
        }
        try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.READ)) {
            return read(channel, offset, channel.size(), into, true);
        }
    }

    static int read(FileChannel file, long offset, long readable, ByteBuffer into, boolean ended) throws IOException {
        if (offset < 0) {
            throw new IllegalArgumentException("offset=" + offset + " is negative");
        }
        if (offset >= readable) {
            return ended ? -1 : 0;
        }
        int most = (int) Math.min(into.remaining(), readable - offset);
        ByteBuffer part = into.slice(into.position(), most);
        int read = Math.max(0, file.read(part, offset));
        into.position(into.position() + read);
        return read;
    }
}
