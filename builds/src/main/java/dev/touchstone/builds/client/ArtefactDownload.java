package dev.touchstone.builds.client;

import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.file.RelativePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The download of one artefact: into a draft beside its place, and when it is known to be whole, to its name. One thread at a time. */
final class ArtefactDownload {
    private final Path folder;
    private final Bundle.Item item;
    private final MessageDigest digest = Bundle.sha256();
    private long size;
    private @Nullable IOException failure;

    ArtefactDownload(Path folder, Bundle.Item item) {
        this.folder = folder;
        this.item = item;
    }

    /**
     * Downloads the file.
     *
     * @param read gives the content to a visitor, and says when the visitor has all
     */
    CompletableFuture<Path> run(Function<LogVisitor, CompletableFuture<Long>> read) {
        Path target;
        Path draft;
        FileChannel out;
        try {
            target = target();
            byte[] random = new byte[8];
            new SecureRandom().nextBytes(random);
            draft = target.resolveSibling(".builds-" + HexFormat.of().formatHex(random) + ".part");
            out = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return read.apply((offset, bytes) -> write(out, bytes)).handle((end, problem) -> {
            try (out) {
                if (problem != null) {
                    throw problem instanceof CompletionException wrapped ? wrapped : new CompletionException(problem);
                }
                out.force(true);
                name(draft, target);
                return target;
            } catch (IOException e) {
                throw new CompletionException(e);
            } finally {
                delete(draft);
            }
        });
    }

    /** Makes the folders above the file; returns its path, where nothing is. */
    private Path target() throws IOException {
        Files.createDirectories(folder);
        Path target = folder.toRealPath();
        Path steps;
        try {
            steps = Path.of(RelativePath.check("file", item.name()));
        } catch (InvalidPathException e) {
            throw new IOException("this character set has no such name: " + e.getMessage(), e);
        }
        for (Path step : steps) {
            if (!target.equals(folder.toRealPath()) && !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(target);
            }
            if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(target.toString(), null, "is in the place of a folder");
            }
            target = target.resolve(step);
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw there(target);
        }
        return target;
    }

    private static FileAlreadyExistsException there(Path target) {
        return new FileAlreadyExistsException(target.toString(), null, "is there already, and is not replaced");
    }

    private boolean write(FileChannel out, ByteBuffer bytes) {
        size += bytes.remaining();
        digest.update(bytes.duplicate());
        try {
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
        } catch (IOException e) {
            failure = e;
        }
        return failure == null && size <= item.size();
    }

    private void name(Path draft, Path target) throws IOException {
        if (failure != null) {
            throw failure;
        }
        String got = HexFormat.of().formatHex(digest.digest());
        if (size != item.size() || !got.equals(item.sha256())) {
            throw new IOException("artefact is damaged: name=" + RelativePath.shown(item.name()) + " expected bytes="
                    + item.size() + " sha256=" + item.sha256() + " got bytes=" + size + " sha256=" + got);
        }
        try {
            Files.createLink(target, draft); // which replaces nothing
        } catch (FileAlreadyExistsException e) {
            throw there(target);
        } catch (UnsupportedOperationException | FileSystemException e) { // where the file system has no hard links
            Files.move(draft, target); // which replaces nothing that was there when it began
        }
    }

    private static void delete(Path draft) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            System.getLogger(ArtefactDownload.class.getName())
                    .log(System.Logger.Level.WARNING, "draft cannot be deleted: file=" + draft, e);
        }
    }
}
