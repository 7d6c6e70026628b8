package dev.touchstone.builds.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Writes a bundle: the files behind the place of the list, and at the end the list. For one thread. */
public final class BundleWriter implements AutoCloseable {
    private static final int COPY_BYTES = 64 << 10;

    private final List<String> names;
    private final FileChannel out;
    private final List<Bundle.Item> items = new ArrayList<>();
    private final long maxBytes;
    private final ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    private long bytes; // of all files so far

    /** Is asked before each piece is copied. */
    public interface Check {
        /** Throws what ends the copying. */
        void run() throws IOException;
    }

    /**
     * Creates the file of a bundle, of mode 0600.
     *
     * @param file path, where nothing is; not null
     * @param names of the files that will be added, in their order; not null
     * @param maxBytes maximum number of bytes of all files together
     */
    public BundleWriter(Path file, List<String> names, long maxBytes) throws IOException {
        this.names = List.copyOf(names);
        this.maxBytes = maxBytes;
        List<byte[]> encoded = new ArrayList<>();
        names.forEach(name -> encoded.add(name.getBytes(StandardCharsets.UTF_8)));
        int list = Bundle.listBytes(encoded);
        this.out = OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        out.position(list);
    }

    /**
     * Copies the next file.
     *
     * @throws IOException if it cannot be read or written, or the files are too large together
     */
    public void add(ReadableByteChannel in, Check check) throws IOException {
        String name = names.get(items.size());
        MessageDigest digest = Bundle.sha256();
        long size = 0;
        buffer.clear();
        while (in.read(buffer) >= 0) {
            check.run();
            size += buffer.position();
            bytes += buffer.position();
            if (bytes > maxBytes) {
                throw new IOException(
                        "files have more than bytes=" + maxBytes + " together, with file=" + RelativePath.shown(name));
            }
            digest.update(buffer.array(), 0, buffer.position());
            buffer.flip();
            while (buffer.hasRemaining()) {
                int unused = out.write(buffer);
            }
            buffer.clear();
        }
        items.add(new Bundle.Item(name, size, HexFormat.of().formatHex(digest.digest())));
    }

    /** Writes the list, and returns it. */
    public Bundle finish() throws IOException {
        if (items.size() != names.size()) {
            throw new IllegalStateException("files=" + items.size() + " of " + names.size());
        }
        Bundle bundle = new Bundle(items);
        ByteBuffer list = ByteBuffer.wrap(bundle.encode());
        for (long at = 0; list.hasRemaining(); ) {
            at += out.write(list, at);
        }
        return bundle;
    }

    /** Returns the bytes of the file. */
    public long length() throws IOException {
        return out.size();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
