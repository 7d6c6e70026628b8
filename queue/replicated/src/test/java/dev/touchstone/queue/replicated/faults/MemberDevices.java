package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A device for each member, whose copy at a point in time is what a power cut leaves; for root. For one thread.
 *
 * <p>A sparse file holds a btrfs, that holds an image for each member, which is mounted through a loop device. A cut is a reflink copy of the
 * image while the member is stopped: the copy has what the file system had handed to its device, and lacks what only the page cache held. So it
 * takes everything that the member has not forced, whoever wrote it, but knows no volatile cache inside of the device.
 */
final class MemberDevices implements AutoCloseable {
    private static final int UNMOUNT_TRIES = 100;
    private static final int MARGIN_BYTES = 8 << 20;
    private static final int COMMAND_SECONDS = 120;

    private final Path images;
    private final List<Path> mounts = new ArrayList<>();
    private final String[] loops;
    private final Deque<Undo> undo = new ArrayDeque<>();

    /** Takes a step back. */
    private interface Undo {
        void run() throws IOException;
    }

    /**
     * Makes and mounts the devices.
     *
     * @param folder where the images are, and where they are mounted, as {@code member-0} and so on
     */
    MemberDevices(Path folder, int members) throws IOException {
        images = folder.resolve("images");
        loops = new String[members];
        boolean done = false;
        try {
            Path pool = folder.resolve("images.btrfs");
            String unused = run("truncate", "-s", "16G", pool.toString());
            unused = run("mkfs.btrfs", "-q", pool.toString());
            Files.createDirectories(images);
            String loop = attach(pool);
            mount(loop, images);
            undo.push(() -> detach(loop));
            undo.push(() -> unmount(images));
            for (int i = 0; i < members; i++) {
                Path image = image(i);
                unused = run("truncate", "-s", "1G", image.toString());
                unused = run(
                        "mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", image.toString());
                mounts.add(Files.createDirectories(folder.resolve("member-" + i)));
                loops[i] = attach(image);
                mount(loops[i], mounts.get(i));
                int member = i;
                undo.push(() -> detach(loops[member]));
                undo.push(() -> unmount(mounts.get(member)));
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private Path image(int member) {
        return images.resolve(member + ".img");
    }

    private Path cutImage(int member) {
        return images.resolve(member + ".cut");
    }

    /** Keeps what the device of a member holds now, whose process is stopped. */
    void cut(int member) throws IOException {
        String unused = run(
                "cp",
                "--reflink=always",
                image(member).toString(),
                cutImage(member).toString());
    }

    /** Puts what was kept in the place of the device of a member, whose process has ended. */
    void restore(int member) throws IOException {
        unmount(mounts.get(member));
        detach(loops[member]);
        Files.delete(image(member));
        Files.move(cutImage(member), image(member));
        loops[member] = attach(image(member));
        mount(loops[member], mounts.get(member));
    }

    /** Leaves no room on the device of a member. */
    void fill(int member) throws IOException {
        Path filler = filler(member);
        long free = Files.getFileStore(mounts.get(member)).getUsableSpace();
        try { // the member takes room meanwhile, too
            String unused = run("fallocate", "-l", String.valueOf(Math.max(1, free - MARGIN_BYTES)), filler.toString());
            unused = run("dd", "if=/dev/zero", "of=" + filler.resolveSibling("filler-last"), "bs=4k", "status=none");
        } catch (IOException full) {
            // so it has to be
        }
    }

    /** Makes room again. */
    void free(int member) throws IOException {
        Files.deleteIfExists(filler(member));
        Files.deleteIfExists(filler(member).resolveSibling("filler-last"));
    }

    private Path filler(int member) {
        return mounts.get(member).resolve("filler");
    }

    private static String attach(Path image) throws IOException {
        return run("losetup", "--find", "--show", "--direct-io=on", image.toString());
    }

    private static void detach(String loop) throws IOException {
        String unused = run("losetup", "-d", loop);
    }

    private static void mount(String loop, Path folder) throws IOException {
        String unused = run("mount", "-o", "noatime", loop, folder.toString());
    }

    private static void unmount(Path folder) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                String unused = run("umount", folder.toString());
                return;
            } catch (IOException busy) {
                if (tries == UNMOUNT_TRIES) {
                    throw busy;
                }
                MemberProcesses.pause(50);
            }
        }
    }

    /** Runs a command; returns what it has written. */
    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        try {
            if (process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return text;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("command failed: " + Arrays.toString(command) + ": " + text);
    }

    @Override
    public void close() throws IOException {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }
}
