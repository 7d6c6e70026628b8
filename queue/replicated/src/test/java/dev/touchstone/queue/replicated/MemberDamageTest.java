package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of a member whose files are missing or changed, and first starts that were cut. */
class MemberDamageTest {
    private static final Set<String> CHANGES = Set.of("create", "createFolder", "rename", "delete", "forceFolder");

    @TempDir
    Path folder;

    /** Deletes a file, or a folder with all that is in it. */
    private static void delete(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Runs a member alone until it has a snapshot and entries behind it; returns its group, closed. */
    private Group ended() throws IOException {
        Group group = Group.started(folder, 1);
        String only = group.awaitLeader();
        Group.offer(group.member(only), "a");
        Group.await("a snapshot", () -> {
            group.member(only).snapshot();
            return group.machine(only).events.contains("written");
        });
        Group.offer(group.member(only), "b");
        group.closeAll();
        return group;
    }

    private static void assertRefused(Group group, Path file) {
        String only = group.addresses.get(0);
        assertThatThrownBy(() -> group.start(only, group.addresses))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("member " + only + " cannot start in folder " + group.folderOf(only) + ": ")
                .hasMessageContaining("file=" + file)
                .hasMessageEndingWith("; remove the member, empty its folder, start it without members and add it");
        assertThat(Group.isFree(only)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "log/STATE", "log meta snapshot"})
    void start_logIsMissing_isRefused(String missing) throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        for (String name : missing.split(" ", -1)) {
            delete(own.resolve(name));
        }
        for (int i = 0; i < 2; i++) {
            assertRefused(group, own.resolve("log").resolve("STATE"));
        }
    }

    /** Deletes the segments of a log, and leaves its STATE with so many zeros. */
    private static void deleteSegments(Path log, int stateBytes) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            for (Path each :
                    files.filter(file -> file.toString().endsWith(".segment")).toList()) {
                Files.delete(each);
            }
        }
        Files.write(log.resolve("STATE"), new byte[stateBytes]);
    }

    /** The files that are left look like a folder that was being made; the id, the vote and the snapshot tell that it is none. */
    @ParameterizedTest
    @ValueSource(strings = {"", "snapshot"})
    void start_stateIsUnreadableAndSegmentsAreMissing_isRefused(String alsoMissing) throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        if (!alsoMissing.isEmpty()) {
            delete(own.resolve(alsoMissing));
        }
        for (int stateBytes : new int[] {1 << 16, 0}) {
            deleteSegments(own.resolve("log"), stateBytes);
            for (int i = 0; i < 2; i++) {
                assertRefused(group, own.resolve("log").resolve("STATE"));
            }
        }
    }

    /** A vote or a snapshot tells that the candidate's first start had made the log; entries, that it had made the vote. */
    @Test
    void start_candidatesFileIsBackAndAnotherIsMissing_isRefused() throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        SmallFile.write(new DiskFileIo(), own.resolve("candidate"), "touchstone-candidate 1\n");
        Path vote = own.resolve("meta").resolve("vote");
        byte[] voted = Files.readAllBytes(vote);
        delete(own.resolve("meta"));
        assertRefused(group, vote);
        delete(own.resolve("snapshot"));
        assertRefused(group, vote);
        delete(own.resolve("log"));
        Files.createDirectories(vote.getParent());
        Files.write(vote, voted);
        assertRefused(group, own.resolve("log").resolve("STATE"));
        delete(own.resolve("meta"));
        Files.createDirectories(own.resolve("snapshot").resolve("snapshot_2"));
        assertRefused(group, own.resolve("log").resolve("STATE"));
    }

    /** Returns the files of a member that none of the tests of the log change, and that no user of the group writes. */
    private static List<Path> smallFiles(Path own) throws IOException {
        try (Stream<Path> all = Files.walk(own)) {
            List<Path> files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(own.resolve("log")))
                    .filter(file -> !file.endsWith("lock") && !file.endsWith(CountingMachine.FILE))
                    .toList();
            assertThat(files.stream().map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("member", "group", "vote", "members", "seal", "__raft_snapshot_meta");
            return files;
        }
    }

    @Test
    void start_smallFileIsChanged_isRefused() throws Exception {
        Group group = ended();
        for (Path file : smallFiles(group.folderOf(group.addresses.get(0)))) {
            byte[] whole = Files.readAllBytes(file);
            for (int at : new int[] {0, whole.length / 2, whole.length - 1}) {
                byte[] changed = whole.clone();
                changed[at] ^= 1;
                Files.write(file, changed);
                assertRefused(group, file);
            }
            Files.write(file, new byte[0]);
            assertRefused(group, file);
            Files.write(file, whole);
        }
        group.start(group.addresses.get(0), group.addresses).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"meta", "meta/vote"})
    void start_voteIsMissing_isRefused(String missing) throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        delete(own.resolve(missing));
        for (int i = 0; i < 2; i++) {
            assertRefused(group, own.resolve("meta").resolve("vote"));
        }
    }

    /** The vote of an earlier copy of the folder: the member may have voted in the terms of its later entries. */
    @Test
    void start_voteIsOfATermBeforeThatOfTheLastEntry_isRefused() throws Exception {
        Group group = ended();
        String only = group.addresses.get(0);
        Path vote = group.folderOf(only).resolve("meta").resolve("vote");
        byte[] before = Files.readAllBytes(vote);
        Group.offer(group.start(only, group.addresses), "c");
        group.closeAll();
        byte[] after = Files.readAllBytes(vote);
        Files.write(vote, before);
        assertRefused(group, vote);

        Files.write(vote, after);
        group.start(only, group.addresses);
        Group.await("the entries", () -> group.machine(only).entries().equals(List.of("a", "b", "c")));
        group.closeAll();
    }

    @Test
    void start_voteOfAnotherMember_isRefused() throws Exception {
        Group group = ended();
        Group other = ended();
        Path vote = group.folderOf(group.addresses.get(0)).resolve("meta").resolve("vote");
        Path ofOther = other.folderOf(other.addresses.get(0)).resolve("meta").resolve("vote");
        Files.write(vote, Files.readAllBytes(ofOther));
        assertRefused(group, vote);
    }

    @Test
    void start_voteOfAnEarlierVersion_isRefused() throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        assertRefused(group, Files.write(own.resolve("meta").resolve("raft_meta"), new byte[] {1}));
    }

    @Test
    void start_snapshotIsMissing_isRefused() throws Exception {
        Group group = ended();
        String only = group.addresses.get(0);
        Path own = group.folderOf(only);
        try (ReplicationGroup member = group.start(only, group.addresses)) {
            CountingMachine machine = group.machine(only);
            for (String entry : List.of("c", "d")) { // the log of the last snapshot but one is kept
                Group.offer(member, entry);
                machine.events.clear();
                Group.await("a snapshot", () -> {
                    member.snapshot();
                    return machine.events.contains("written");
                });
            }
        }
        delete(own.resolve("snapshot"));
        assertRefused(group, own.resolve("snapshot"));
    }

    /** A folder is in the place of each, and then a link that leads nowhere, and then one that leads to the file. */
    @Test
    void start_smallFileIsOfAnotherKind_isRefused() throws Exception {
        Group group = ended();
        for (Path file : smallFiles(group.folderOf(group.addresses.get(0)))) {
            Path moved = folder.resolve("moved");
            Files.move(file, moved);
            Files.createDirectory(file);
            assertRefused(group, file);
            for (Path target : List.of(folder.resolve("missing"), moved)) {
                Files.delete(file);
                Files.createSymbolicLink(file, target);
                assertRefused(group, file);
            }
            Files.delete(file);
            Files.move(moved, file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"member", "member log meta", "member meta snapshot", "member log snapshot"})
    void start_idIsMissingBesideOtherFiles_isRefused(String missing) throws Exception {
        Group group = ended();
        Path own = group.folderOf(group.addresses.get(0));
        for (String name : missing.split(" ", -1)) {
            delete(own.resolve(name));
        }
        assertRefused(group, own.resolve("member"));
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** jraft would fail without telling the file, or delete the snapshot that is whole. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "snapshot_2.bak/",
                "snapshot_abc/",
                "snapshot_0/",
                "snapshot_02/",
                "snapshot_999999/",
                "snapshot_5"
            })
    void start_otherFileIsBesideTheSnapshot_isRefusedAndLeavesIt(String name) throws Exception {
        Group group = ended();
        String only = group.addresses.get(0);
        Path snapshots = group.folderOf(only).resolve("snapshot");
        Path other = snapshots.resolve(name);
        if (name.endsWith("/")) {
            Files.createDirectory(other);
        } else {
            Files.createFile(other);
        }
        List<Path> before = list(snapshots);
        assertThat(before).hasSize(2);
        assertRefused(group, other);
        assertThat(list(snapshots)).isEqualTo(before);

        Files.delete(other);
        group.start(only, group.addresses);
        Group.await("the entries", () -> group.machine(only).entries().equals(List.of("a", "b")));
        group.closeAll();
    }

    @Test
    void start_folderOfSnapshotsIsAFile_isRefused() throws Exception {
        Group group = ended();
        Path snapshots = group.folderOf(group.addresses.get(0)).resolve("snapshot");
        delete(snapshots);
        assertRefused(group, Files.createFile(snapshots));
        Files.delete(snapshots);
        assertRefused(group, Files.createSymbolicLink(snapshots, Path.of("missing")));
    }

    @Test
    void start_fileOfSnapshotIsMissing_isRefused() throws Exception {
        Group group = ended();
        for (Path file : smallFiles(group.folderOf(group.addresses.get(0)))) {
            if (file.toString().contains("snapshot_")) {
                byte[] whole = Files.readAllBytes(file);
                Files.delete(file);
                assertRefused(group, file);
                Files.write(file, whole);
            }
        }
    }

    @Test
    void start_firstOneWasCutAtAnyChangeOfANameInTheFolder_isMadeAgain() throws Exception {
        boolean isCut = true;
        for (int changes = 0; isCut; changes++) {
            Group group = new Group(folder.resolve("cut-" + changes), 1);
            String only = group.addresses.get(0);
            GroupOptions options = group.options(only, group.addresses);
            try (ReplicationGroup started =
                    new JraftEngine(Group.STORAGE, failingAfter(changes)).start(options, new CountingMachine())) {
                assertThat(started.term()).isNotNegative();
                isCut = false;
            } catch (IOException cut) {
                assertThat(cut).as("after %d", changes).hasMessageContaining("no more changes");
                Group.offer(group.start(only, List.of(only)), "a");
                assertThat(group.machine(only).entries()).containsExactly("a");
                group.closeAll();
            }
        }
    }

    @Test
    void transfer_voteCannotBeStored_endsTheMember() throws Exception {
        Group group = new Group(folder, 2);
        String failing = group.addresses.get(1);
        AtomicBoolean fails = new AtomicBoolean();
        CountingMachine machine = new CountingMachine();
        CompletableFuture<ReplicationGroup> start = group.startLater(group.addresses.get(0), group.addresses);
        try (ReplicationGroup other = new JraftEngine(Group.STORAGE, failing(fails::get))
                        .start(group.options(failing, group.addresses), machine);
                ReplicationGroup member = Group.get(start)) {
            Group.await("a leader", () -> member.leader() != null && Objects.equals(member.leader(), other.leader()));
            fails.set(true);
            assertThatThrownBy(() -> member.transfer(null, Duration.ofSeconds(2)))
                    .isInstanceOf(IOException.class);
            Group.await("the end", machine::isEnded);
            assertThat(machine.cause())
                    .hasMessageContaining(group.folderOf(failing)
                            .resolve("meta")
                            .resolve("vote")
                            .toString());
        }
    }

    /** Returns files of which no name can be changed after some changes. */
    private static FileIo failingAfter(int changes) {
        AtomicInteger left = new AtomicInteger(changes);
        return failing(() -> left.getAndDecrement() <= 0);
    }

    private static FileIo failing(BooleanSupplier fails) {
        FileIo disk = new DiskFileIo();
        return (FileIo) Proxy.newProxyInstance(
                FileIo.class.getClassLoader(), new Class<?>[] {FileIo.class}, (proxy, method, arguments) -> {
                    if (CHANGES.contains(method.getName()) && fails.getAsBoolean()) {
                        throw new IOException("no more changes");
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
