package dev.touchstone.queue.migrate;

import dev.touchstone.queue.migrate.PopoutFormat.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The blocks that stand twice because popout's process ended after copying {@code .wal} files into the last {@code .compressed} file and
 * before deleting them. The copies carry no numbers, so they are detected by content:
 *
 * <ul>
 *   <li>An unfinished last compressed file is left out if it holds nothing but the first wal files in their order and perhaps the
 *       beginning of the next one. If it holds no block, it is left out unless the first wal file is newer.
 *   <li>Otherwise the first wal files that are the last blocks of the compressed file are left out: as many as match, in their order.
 *       Blocks that were removed since count if their bytes still say where they end.
 * </ul>
 *
 * <p>Equal blocks prove nothing if a queue holds equal records. So if matching blocks are equal to others, the first wal file must also
 * be older than the compressed file, and nothing may have been removed from the compressed file since. In doubt a record is copied
 * twice rather than lost.
 *
 * @param leaveOutCompressed whether the last compressed file is left out
 * @param leaveOutWals number of the first wal files that are left out
 * @param blocks number of blocks that stand twice
 */
record PopoutOverlap(boolean leaveOutCompressed, int leaveOutWals, int blocks) {
    private static final PopoutOverlap NONE = new PopoutOverlap(false, 0, 0);
    private static final long SAME = -1;

    /** The first half of a SHA-256 digest. */
    private record Digest(long high, long low) {}

    /** Detects the overlap. Reads the last compressed file at most three times, and as many wal files as it has blocks. */
    static PopoutOverlap find(PopoutFiles files, Format format) throws IOException {
        if (files.compressed().isEmpty() || files.wals().isEmpty()) {
            return NONE;
        }
        Path last = files.compressed().get(files.compressed().size() - 1);
        int unfinished = unfinishedCopies(last, files.wals());
        if (unfinished >= 0) {
            return new PopoutOverlap(true, 0, unfinished);
        }
        try {
            int finished = finishedCopies(last, files.wals(), format);
            return new PopoutOverlap(false, finished, finished);
        } catch (CorruptSourceException e) {
            return NONE; // the damage is reported when the records of the file are read
        }
    }

    /** Returns the number of blocks in an unfinished file that is left out, which are the first wal files; -1 if it is not left out. */
    private static int unfinishedCopies(Path last, List<Path> wals) throws IOException {
        try (CompressedFile file = CompressedFile.open(last)) {
            int same = 0;
            boolean whole = true; // undamaged as far as it was written
            try {
                Block block = file.next();
                while (block != null && same < wals.size() && firstDifference(block, wals.get(same)) == SAME) {
                    same++;
                    block = file.next();
                }
                if (block != null && (same == wals.size() || !isTorn(block, wals.get(same)))) {
                    return -1;
                }
            } catch (CorruptSourceException e) {
                whole = false;
            }
            if (file.finished() || file.jumped() || !(whole || same > 0)) {
                return -1;
            }
            int age = ageComparedTo(file, wals.get(0));
            boolean proven = same == 0 ? age <= 0 : age < 0 || areDistinct(wals.subList(0, same));
            return proven ? same : -1;
        }
    }

    /** Returns whether the block begins like the wal file and only zeros follow, to the end of the compressed file. */
    private static boolean isTorn(Block block, Path wal) throws IOException {
        long differs = firstDifference(block, wal);
        return block.file().firstNonZero(block.offset() + differs)
                == block.file().size();
    }

    private static boolean areDistinct(List<Path> wals) throws IOException {
        return new HashSet<>(digests(wals)).size() == wals.size();
    }

    /** Returns the first offset in the block at which the wal file differs, 0 if their lengths differ, or {@link #SAME}. */
    private static long firstDifference(Block block, Path wal) throws IOException {
        try (SourceFile file = SourceFile.open(wal)) {
            if (file.size() != block.bytes()) {
                return 0; // the length itself may be torn
            }
            for (long i = 0; i < block.bytes(); i++) {
                if (file.byteAt(i) != block.file().byteAt(block.offset() + i)) {
                    return i;
                }
            }
            return SAME;
        }
    }

    private static int finishedCopies(Path last, List<Path> wals, Format format) throws IOException {
        List<Digest> first = digests(wals.subList(0, Math.min(wals.size(), blocks(last, format))));
        if (first.isEmpty()) {
            return 0;
        }
        int[] borders = borders(first);
        Map<Digest, Integer> occurrences = new HashMap<>();
        first.forEach(digest -> occurrences.put(digest, 0));
        int matched = 0;
        try (CompressedFile file = CompressedFile.openWithRemoved(last, format)) {
            for (Block block = file.next(); block != null; block = file.next()) {
                Digest digest = digest(block);
                occurrences.computeIfPresent(digest, (same, times) -> times + 1);
                matched = longerMatch(first, borders, matched, digest);
            }
            boolean repeated =
                    first.subList(0, matched).stream().anyMatch(digest -> occurrences.getOrDefault(digest, 0) > 1);
            boolean proven = !repeated || (!file.jumped() && ageComparedTo(file, wals.get(0)) < 0);
            return proven ? matched : 0;
        }
    }

    /** Returns a negative number if the wal file is older, 0 if both have the same time, a positive number if it is newer. */
    private static int ageComparedTo(CompressedFile compressed, Path wal) throws IOException {
        try (SourceFile file = SourceFile.open(wal)) {
            return file.modified().compareTo(compressed.file().modified());
        }
    }

    private static int blocks(Path compressed, Format format) throws IOException {
        try (CompressedFile file = CompressedFile.openWithRemoved(compressed, format)) {
            int blocks = 0;
            while (file.next() != null && blocks < Integer.MAX_VALUE) {
                blocks++;
            }
            return blocks;
        }
    }

    /** Returns the length of the longest prefix of {@code pattern} that ends at {@code next}, after a prefix of length {@code matched}. */
    private static int longerMatch(List<Digest> pattern, int[] borders, int matched, Digest next) {
        int length = matched;
        while (length > 0 && (length == pattern.size() || !pattern.get(length).equals(next))) {
            length = borders[length - 1];
        }
        return pattern.get(length).equals(next) ? length + 1 : length;
    }

    /** Returns, for each prefix of the pattern, the length of its longest proper border (Knuth, Morris and Pratt). */
    private static int[] borders(List<Digest> pattern) {
        int[] borders = new int[pattern.size()];
        for (int i = 1; i < borders.length; i++) {
            borders[i] = longerMatch(pattern, borders, borders[i - 1], pattern.get(i));
        }
        return borders;
    }

    private static List<Digest> digests(List<Path> wals) throws IOException {
        List<Digest> digests = new ArrayList<>();
        for (Path wal : wals) {
            try (SourceFile file = SourceFile.open(wal)) {
                digests.add(digest(new Block(file, 0, file.size())));
            }
        }
        return digests;
    }

    private static Digest digest(Block block) throws IOException {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            block.file().digest(block.offset(), block.bytes(), sha);
            ByteBuffer bytes = ByteBuffer.wrap(sha.digest());
            return new Digest(bytes.getLong(), bytes.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
