package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.replicated.link.MemberReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifications of three members in this process. */
class VerificationTest {
    private static final String ELEMENT = "an element of which one bit is flipped";

    @TempDir
    Path folder;

    @Test
    void verify_underLoad_membersAgreeAndGoOn() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            Thread load = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    Group.tryOffer(group.member(leader), "e" + i);
                }
            });
            load.start();
            for (int i = 0; i < 5; i++) {
                List<MemberReport> reports = verify(group);
                assertThat(reports).extracting(MemberReport::failure).containsOnlyNulls();
                assertThat(reports).extracting(MemberReport::digest).doesNotContain("");
                assertThat(reports.stream().map(MemberReport::digest).distinct())
                        .hasSize(1);
                assertThat(reports.stream().map(MemberReport::index).distinct()).hasSize(1);
            }
            load.join();
            Group.offer(group.member(leader), "after");
            for (String member : group.addresses) {
                assertThat(group.folderOf(member).resolve("verification")).doesNotExist();
            }
        }
    }

    @Test
    void verify_memberWhoseStateDiffers_hasAnotherDigest() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            Group.offer(group.member(leader), "a");
            Group.offer(group.member(leader), "b");
            Group.await(
                    "all have applied both",
                    () -> group.machines.values().stream()
                            .allMatch(machine -> machine.entries().size() == 2));
            String wrong = group.others(leader).get(0);
            group.machine(wrong).forgetLast();
            List<MemberReport> reports = verify(group);
            MemberReport differing = report(reports, wrong);
            assertThat(reports)
                    .filteredOn(report -> report.digest().equals(differing.digest()))
                    .containsExactly(differing);
            assertThat(reports.stream().map(MemberReport::digest).distinct()).hasSize(2);
        }
    }

    @Test
    void verify_memberWithAFlippedBit_namesEntryAndFile_andGoesOn() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            Group.offer(group.member(leader), ELEMENT);
            Group.offer(group.member(leader), "after");
            String damaged = group.others(leader).get(0);
            Group.await(
                    "all have applied both",
                    () -> group.machines.values().stream()
                            .allMatch(machine -> machine.entries().size() == 2));
            Path file = flipBit(group.folderOf(damaged));
            List<MemberReport> reports = verify(group);
            assertThat(report(reports, damaged).damage()).contains("entry ", file.toString(), "CRC");
            assertThat(reports).extracting(MemberReport::failure).containsOnlyNulls();
            assertThat(reports)
                    .filteredOn(report -> !report.member().equals(damaged))
                    .extracting(MemberReport::damage)
                    .containsOnlyNulls();
            assertThat(reports.stream().map(MemberReport::digest).distinct()).hasSize(1);
            Group.offer(group.member(damaged), "on");
        }
    }

    @Test
    void verify_twoAtTheSameTime_bothCompareAllMembers() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            for (int i = 0; i < 200; i++) {
                Group.offer(group.member(leader), "e" + i);
            }
            for (int i = 0; i < 5; i++) {
                CompletableFuture<List<MemberReport>> other = new CompletableFuture<>();
                Thread beside = new Thread(() -> {
                    try {
                        other.complete(verify(group));
                    } catch (IOException e) {
                        other.completeExceptionally(e);
                    }
                });
                beside.start();
                List<MemberReport> reports = new ArrayList<>(verify(group));
                reports.addAll(Group.get(other));
                assertThat(reports).hasSize(6).extracting(MemberReport::failure).containsOnlyNulls();
                assertThat(reports.stream().map(MemberReport::digest).distinct())
                        .hasSize(1);
                beside.join();
            }
        }
    }

    @Test
    void verify_memberWithADamagedSnapshot_namesTheFile_andGoesOn() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            Group.offer(group.member(leader), "a");
            String damaged = group.others(leader).get(0);
            MembersTest.awaitAnnounced(group); // no entries but those of this test from now on
            Path first = snapshot(group, damaged, null);
            Group.offer(group.member(damaged), "b");
            JraftGroupTest.awaitEntries(group, List.of("a", "b"));
            Path last = snapshot(group, damaged, first);
            assertThat(verify(group)).extracting(MemberReport::damage).containsOnlyNulls();
            Path machine = onlyFile(last.resolve("machine").resolve("below"));
            for (Path file : List.of(machine, last.resolve("members"))) {
                byte[] whole = Files.readAllBytes(file);
                byte[] flipped = whole.clone();
                flipped[0] ^= 0x40;
                Files.write(file, flipped);
                MemberReport report = report(verify(group), damaged);
                assertThat(report.damage()).contains("the snapshot is damaged", last.toString());
                assertThat(report.index()).isPositive();
                Files.write(file, whole);
            }
            Files.delete(last.resolve("members"));
            assertThat(report(verify(group), damaged).damage()).contains("members");
            Group.offer(group.member(damaged), "on");
        }
    }

    @Test
    void verify_memberThatIsDown_isToldWithItsReason() throws Exception {
        try (Group group = Group.started(folder, 3)) {
            String leader = group.awaitLeader();
            String down = group.others(leader).get(0);
            group.close(down);
            List<MemberReport> reports = verify(group);
            assertThat(report(reports, down).index()).isZero();
            assertThat(report(reports, down).failure()).contains(down);
            assertThat(reports)
                    .filteredOn(report -> !report.member().equals(down))
                    .extracting(MemberReport::failure)
                    .containsOnlyNulls();
        }
    }

    private static List<MemberReport> verify(Group group) throws IOException {
        try (GroupClient client = new GroupClient(group.addresses, null, Group.PATIENCE, waits -> {})) {
            return client.verify(group.addresses);
        }
    }

    private static MemberReport report(List<MemberReport> reports, String member) {
        return reports.stream()
                .filter(report -> report.member().equals(member))
                .findAny()
                .orElseThrow();
    }

    /** Has a member write a snapshot in the place of an earlier one; returns its folder. */
    private static Path snapshot(Group group, String member, @Nullable Path before) {
        AtomicReference<@Nullable Path> found = new AtomicReference<>();
        Group.await("a snapshot", () -> {
            group.member(member).snapshot(); // ignored while an earlier one is written
            try (Stream<Path> files = Files.list(group.folderOf(member).resolve("snapshot"))) {
                List<Path> whole = files.filter(
                                file -> file.getFileName().toString().startsWith("snapshot_"))
                        .toList();
                found.set(whole.size() == 1 ? whole.get(0) : null);
            } catch (IOException | UncheckedIOException changing) {
                found.set(null);
            }
            Path now = found.get();
            return now != null && !now.equals(before);
        });
        return Objects.requireNonNull(found.get());
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().orElseThrow();
        }
    }

    private static Path flipBit(Path member) throws IOException {
        List<Path> segments;
        try (Stream<Path> files = Files.walk(member)) {
            segments =
                    files.filter(file -> file.toString().endsWith(".segment")).toList();
        }
        for (Path segment : segments) {
            int at = new String(Files.readAllBytes(segment), StandardCharsets.ISO_8859_1).indexOf(ELEMENT);
            if (at >= 0) {
                try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    int unused = channel.write(ByteBuffer.wrap(new byte[] {(byte) (ELEMENT.charAt(3) ^ 1)}), at + 3);
                }
                return segment;
            }
        }
        throw new AssertionError("no segment has the element");
    }
}
