package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file for each job. Not forced to the device: the master's log is what survives a power cut. */
final class FileSink implements Sink {
    private static final int MAX_OPEN = 64;

    private final Path folder;
    private final Map<String, FileChannel> open = new LinkedHashMap<>(16, 0.75f, true);

    FileSink(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    @Override
    public OutputMode mode() {
        return OutputMode.FILES;
    }

    @Override
    public boolean isFed() {
        return true;
    }

    private Path file(String jobId) {
        return folder.resolve(jobId + ".log");
    }

    @Override
    public long length(String jobId) throws IOException {
        return Files.exists(file(jobId)) ? Files.size(file(jobId)) : 0;
    }

    @Override
    public void write(String jobId, long offset, ByteBuffer bytes) throws IOException {
        FileChannel out = channel(jobId);
        long at = offset;
        while (bytes.hasRemaining()) {
            at += out.write(bytes, at);
        }
    }

    private FileChannel channel(String jobId) throws IOException {
        FileChannel known = open.get(jobId);
        if (known != null && known.isOpen()) {
            return known;
        }
        if (open.size() >= MAX_OPEN) {
            Iterator<FileChannel> oldest = open.values().iterator();
            oldest.next().close();
            oldest.remove();
        }
        FileChannel made = FileChannel.open(file(jobId), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        open.put(jobId, made);
        return made;
    }

    @Override
    public void end(String jobId, long length) throws IOException {
        channel(jobId).close();
        open.remove(jobId);
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : open.values()) {
            channel.close();
        }
        open.clear();
    }
}
