package dev.touchstone.queue.replicated.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Kinds of faults of a group. */
enum Fault {
    /** {@code kill -9} of a member, which is started again. */
    KILL {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            group.kill(victim);
            MemberProcesses.pause(random.nextInt(1_500));
            restart(group, victim);
        }
    },

    /** All members killed at once. */
    KILL_ALL {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
                group.kill(i);
            }
            group.startAll();
        }
    },

    /** A member, as often as not the leader, that is stopped (SIGSTOP) and goes on. */
    STOP {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = victim(group, random);
            group.signal(victim, "STOP");
            MemberProcesses.pause(500 + random.nextInt(3_000));
            group.signal(victim, "CONT");
        }
    },

    /** Both directions between two members. */
    CUT {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int one = victim(group, random);
            int other = other(one, random);
            cut(group, random, one, other);
            hold(group, random, 500 + random.nextInt(2_500));
            heal(group, random);
        }
    },

    /** Loss in one direction between two members: what the first sends is lost, and what the second sends arrives. */
    ONE_WAY {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int one = victim(group, random);
            int other = other(one, random);
            if (random.nextBoolean()) {
                group.links().cut(one, other);
            } else {
                group.links().cut(other, one);
            }
            hold(group, random, 500 + random.nextInt(2_500));
            heal(group, random);
        }
    },

    /** Delays of 5 to 300 ms for all that a member sends and is sent. */
    DELAY {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int slow = random.nextInt(MemberProcesses.MEMBERS);
            for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
                if (i != slow) {
                    group.links().delay(slow, i, 5 + random.nextInt(296));
                    group.links().delay(i, slow, 5 + random.nextInt(296));
                }
            }
            hold(group, random, 1_000 + random.nextInt(2_000));
            heal(group, random);
        }
    },

    /** A member without any link, as often as not the leader; its own callers go on. */
    ISOLATE {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = victim(group, random);
            for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
                if (i != victim) {
                    cut(group, random, victim, i);
                }
            }
            hold(group, random, 1_000 + random.nextInt(3_000));
            heal(group, random);
        }
    },

    /** The wall clock of a member set a day ahead or back, and an election after it. */
    CLOCK {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            long day = TimeUnit.DAYS.toMillis(1);
            group.tell(victim, "clock " + (random.nextBoolean() ? day : -day));
            MemberProcesses.pause(random.nextInt(500));
            int leader = group.awaitLeader(-1);
            group.signal(leader, "STOP");
            MemberProcesses.pause(1_500);
            group.signal(leader, "CONT");
        }
    },

    /** A full disk of a member, which may end; there is room again when it starts, or before. */
    FULL_DISK {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            group.fillDisk(victim);
            MemberProcesses.pause(1_000 + random.nextInt(2_000));
            boolean hasRoomBefore = random.nextBoolean();
            if (hasRoomBefore) {
                group.freeDisk(victim);
                MemberProcesses.pause(1_000); // a member that has failed ends
            }
            if (!hasRoomBefore || !group.isAlive(victim)) {
                group.kill(victim);
                group.freeDisk(victim);
                restart(group, victim);
            }
        }
    },

    /** A member that comes back with an empty folder, and is refused; then it gets its folder back. */
    EMPTY_FOLDER {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            group.kill(victim);
            Path folder = group.folderOf(victim);
            Path aside = folder.resolveSibling(folder.getFileName() + "-aside");
            Files.move(folder, aside);
            group.start(victim);
            int code = group.awaitEnd(victim);
            if (code == 0 || !group.errors(victim).contains("has an empty folder, but the group knows it")) {
                throw new AssertionError("not refused: exit=" + code + " " + group.errors(victim));
            }
            MemberProcesses.pause(random.nextInt(1_000));
            delete(folder);
            Files.move(aside, folder);
            restart(group, victim);
        }
    },

    /** A power cut of a member: of what it has not forced, anything may be lost. */
    POWER_CUT {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            group.cutPower(List.of(victim), random);
            MemberProcesses.pause(random.nextInt(1_000));
            restart(group, victim);
        }
    },

    /** A power cut of all members at once. */
    POWER_CUT_ALL {
        @Override
        void inflict(MemberProcesses group, SplittableRandom random) throws Exception {
            group.cutPower(List.of(0, 1, 2), random);
            group.startAll();
        }
    };

    /** Does its harm and mends it; on return all processes run and all links are whole. */
    abstract void inflict(MemberProcesses group, SplittableRandom random) throws Exception;

    /** Returns the leader, or any member. */
    private static int victim(MemberProcesses group, SplittableRandom random) throws IOException {
        return random.nextBoolean() ? group.awaitLeader(-1) : random.nextInt(MemberProcesses.MEMBERS);
    }

    private static int other(int member, SplittableRandom random) {
        return (member + 1 + random.nextInt(MemberProcesses.MEMBERS - 1)) % MemberProcesses.MEMBERS;
    }

    private static void cut(MemberProcesses group, SplittableRandom random, int one, int other) {
        if (random.nextInt(4) == 0) {
            group.links().reset(one, other);
        } else {
            group.links().cutBoth(one, other);
        }
    }

    /** Lets a fault of links last; now and then a member is killed meanwhile. */
    private static void hold(MemberProcesses group, SplittableRandom random, int millis) throws Exception {
        MemberProcesses.pause(millis / 2);
        if (random.nextInt(4) == 0) {
            int victim = random.nextInt(MemberProcesses.MEMBERS);
            group.kill(victim);
            group.start(victim);
            MemberProcesses.pause(millis / 2);
            group.links().heal();
            String unused = group.await(victim, "running");
        } else {
            MemberProcesses.pause(millis / 2);
        }
    }

    /** Makes the links whole: what was held back arrives, or is lost with its connections. */
    private static void heal(MemberProcesses group, SplittableRandom random) {
        if (random.nextBoolean()) {
            for (int i = 0; i < MemberProcesses.MEMBERS; i++) {
                group.links().drop(i, (i + 1) % MemberProcesses.MEMBERS);
            }
        }
        group.links().heal();
    }

    private static void restart(MemberProcesses group, int victim) throws IOException {
        group.start(victim);
        String unused = group.await(victim, "running");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
