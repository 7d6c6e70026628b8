package dev.touchstone.builds.agent.artefact;

import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.file.BundleWriter;
import dev.touchstone.builds.file.FilePattern;
import dev.touchstone.builds.file.FolderWalk;
import dev.touchstone.builds.file.RelativePath;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies the files of a tree that match patterns into a bundle. Follows no link, and sees nothing outside of the tree, whoever changes it meanwhile. For one
 * thread.
 */
public final class ArtefactCollector {
    private static final String GIT = ".git"; // in the tree's root: never an artefact

    private final List<FilePattern> patterns;
    private final int maxFiles;
    private final long maxBytes;
    private final BundleWriter.Check check;
    private final List<String> names = new ArrayList<>();
    private long bytes;
    private int next; // in `names`, of the file that is copied next

    /**
     * Creates a collector for one tree.
     *
     * @param patterns of relative paths; not null
     * @param check called often, and throws what is to end the collection; not null
     * @throws IllegalArgumentException if a pattern is none
     */
    public ArtefactCollector(List<String> patterns, int maxFiles, long maxBytes, BundleWriter.Check check) {
        this.patterns = patterns.stream().map(FilePattern::parse).toList();
        this.maxFiles = maxFiles;
        this.maxBytes = maxBytes;
        this.check = check;
    }

    /**
     * Collects the files.
     *
     * @param trusted folder above the tree, which no build can replace; not null
     * @param tree relative path of the tree; not null
     * @param bundle path of the file to be made, where nothing is; not null
     * @return what was collected; an empty collection leaves no file
     * @throws IOException if there are too many files or bytes, if the name of one is not UTF-8, or if one cannot be read; no file is left then
     */
    public Collected collect(Path trusted, Path tree, Path bundle) throws IOException {
        FolderWalk.walk(trusted, tree, new Matches(this::note));
        if (names.isEmpty()) {
            return Collected.NONE;
        }
        boolean done = false;
        try (BundleWriter writer = new BundleWriter(bundle, names, maxBytes)) {
            FolderWalk.walk(trusted, tree, new Matches((name, entry) -> copy(name, entry, writer)));
            if (next < names.size()) {
                throw new IOException("file is gone or no file any more: name=" + RelativePath.shown(names.get(next)));
            }
            Bundle list = writer.finish();
            done = true;
            return new Collected(list.items().size(), list.contentBytes(), writer.length());
        } finally {
            if (!done) {
                Files.deleteIfExists(bundle);
            }
        }
    }

    private void note(String name, FolderWalk.Entry entry) throws IOException {
        if (!RelativePath.isUtf8(RelativePath.bytes(entry.path()))) {
            throw new IOException("name of a file is not UTF-8: name=" + RelativePath.shown(name));
        }
        try {
            names.add(RelativePath.check("file", name));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        bytes += entry.attributes().size();
        if (names.size() > maxFiles || bytes > maxBytes) {
            throw new IOException("patterns match too much: files=" + names.size() + " most=" + maxFiles + " bytes="
                    + bytes + " most=" + maxBytes + ", with file=" + RelativePath.shown(name));
        }
    }

    private void copy(String name, FolderWalk.Entry entry, BundleWriter writer) throws IOException {
        if (next < names.size() && name.equals(names.get(next))) {
            next++;
            try (ReadableByteChannel in = entry.open()) {
                writer.add(in, check);
            }
        }
    }

    private interface Match {
        void take(String name, FolderWalk.Entry entry) throws IOException;
    }

    /** Hands on the plain files that a pattern matches, in an order that is the same each time. */
    private final class Matches implements FolderWalk.Visitor {
        private final Match to;

        Matches(Match to) {
            this.to = to;
        }

        @Override
        public boolean enter(FolderWalk.Entry folder) throws IOException {
            check.run();
            String path = text(folder.path());
            return !path.equals(GIT) && patterns.stream().anyMatch(pattern -> pattern.mayMatchIn(path));
        }

        @Override
        public void visit(FolderWalk.Entry entry) throws IOException {
            String name = text(entry.path());
            if (entry.attributes().isRegularFile() && patterns.stream().anyMatch(pattern -> pattern.matches(name))) {
                to.take(name, entry);
            }
        }
    }

    private static String text(Path path) {
        return new String(RelativePath.bytes(path), StandardCharsets.UTF_8);
    }
}
