package dev.touchstone.queue.replicated;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueLockedException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A queue of three members on ports of this machine, by the API that users have. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedQueueTest {
    @TempDir
    Path folder;

    private final List<DiskQueue<String>> queues = new ArrayList<>();
    private String[] members;

    @BeforeEach
    void choosePorts() throws IOException {
        members = new String[4];
        for (int i = 0; i < members.length; i++) {
            members[i] = Group.freeAddress();
        }
    }

    @AfterEach
    void close() {
        queues.forEach(DiskQueue::close);
    }

    private DiskQueue<String> open(int number, String... group) {
        return DiskQueue.replicated()
                .member(members[number])
                .members(group)
                .folder(folder.resolve("member-" + number))
                .segmentBytes(64 << 10)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .codec(Codec.utf8())
                .open();
    }

    private void openThree() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<DiskQueue<String>>> opening = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            opening.add(threads.submit(() -> open(number, members[0], members[1], members[2])));
        }
        for (Future<DiskQueue<String>> each : opening) {
            queues.add(each.get());
        }
        threads.shutdown();
    }

    @Test
    void offersAndLeases_atAllMembers_surviveTheirRestarts() throws Exception {
        openThree();
        for (int i = 0; i < 300; i++) {
            assertThat(queues.get(i % 3).offer("e" + i)).isTrue();
        }
        Lease<String> held = requireNonNull(queues.get(0).lease());
        assertThat(held.element()).isEqualTo("e0");
        for (int round = 0; round < 3; round++) {
            queues.get(round).close();
            queues.set(round, open(round, members[0], members[1], members[2]));
            DiskQueue<String> queue = queues.get(round);
            queue.replication().awaitCommitted();
            assertThat(queue.size()).isEqualTo(300 - 20 * round);
            for (int i = 0; i < 20; i++) {
                assertThat(queue.poll()).isEqualTo("e" + (20 * round + i));
            }
        }
        assertThat(queues.get(1).offer("last")).isTrue();
        assertThat(queues.get(2).get(301)).isEqualTo("last");
    }

    @Test
    void transfer_whileAllOffer_losesNothing() throws Exception {
        openThree();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<?>> offering = new ArrayList<>();
        for (DiskQueue<String> queue : queues) {
            offering.add(threads.submit(() -> {
                for (int i = 0; i < 500; i++) {
                    queue.add("e");
                }
            }));
        }
        for (int i = 0; i < 6; i++) {
            queues.get(i % 3).replication().transferLeadership(members[i % 3], Duration.ofSeconds(10));
            assertThat(requireNonNull(queues.get(i % 3).replication().leader())).isEqualTo(members[i % 3]);
        }
        for (Future<?> each : offering) {
            each.get();
        }
        threads.shutdown();
        queues.get(0).replication().awaitCommitted();
        assertThat(queues.get(0).size()).isEqualTo(1500);
    }

    @Test
    void member_thatIsAddedLater_hasAllAndAnotherIsRemoved() throws Exception {
        openThree();
        for (int i = 0; i < 100; i++) {
            queues.get(0).add("e" + i);
        }
        queues.add(open(3));
        queues.get(1).replication().addMember(members[3]);
        assertThat(queues.get(3).replication().members()).contains(members);
        queues.get(3).replication().awaitCommitted();
        assertThat(queues.get(3).poll()).isEqualTo("e0");
        queues.get(3).replication().removeMember(members[0]);
        assertThat(queues.get(1).replication().members()).containsExactlyInAnyOrder(members[1], members[2], members[3]);
        assertThat(queues.get(2).poll()).isEqualTo("e1");
    }

    @Test
    void poll_ofManyWaitingThreads_givesEachAnElement() throws Exception {
        poll(200);
    }

    @Tag("slow")
    @Test
    void poll_ofTwoThousandWaitingThreads_givesEachAnElement() throws Exception {
        poll(2_000);
    }

    private void poll(int many) throws Exception {
        openThree();
        ExecutorService threads = Executors.newFixedThreadPool(many);
        List<Future<String>> polling = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            DiskQueue<String> queue = queues.get(i % 3);
            polling.add(threads.submit(() -> queue.poll(Duration.ofSeconds(90))));
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            expected.add("e" + i);
            queues.get(0).add("e" + i);
        }
        List<String> found = new ArrayList<>();
        for (Future<String> each : polling) {
            found.add(each.get());
        }
        threads.shutdown();
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void call_ofARemovedMember_endsAndSaysSo() throws Exception {
        openThree();
        queues.get(0).add("a");
        String leader = requireNonNull(queues.get(0).replication().leader());
        int removed = members[0].equals(leader) ? 1 : 0;
        queues.get(2).replication().removeMember(members[removed]);
        assertThatThrownBy(() -> {
                    while (true) {
                        queues.get(removed).add("b"); // the last ones may still be forwarded
                    }
                })
                .isInstanceOfAny(QueueRefusedException.class, OutcomeUnknownException.class)
                .hasMessageContaining(members[removed] + ", was removed from the group, whose members are");
        assertThatThrownBy(() -> queues.get(removed).replication().awaitCommitted())
                .isInstanceOf(QueueRefusedException.class)
                .hasMessageContaining("was removed from the group");
        queues.get(2).add("c");
    }

    @Test
    void open_folderOfAnotherMember_namesIt() throws Exception {
        openThree();
        assertThatThrownBy(() -> DiskQueue.replicated()
                        .member(members[3])
                        .folder(folder.resolve("member-0"))
                        .lockTimeout(Duration.ZERO)
                        .open())
                .isInstanceOf(QueueLockedException.class)
                .hasMessageContaining(folder.resolve("member-0").toString());
    }

    @Test
    void open_wrongMembers_saysWhatIsWrong() {
        assertThatThrownBy(() -> open(0, members[0], members[1], members[1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has " + members[1] + " twice");
        assertThatThrownBy(() -> open(0, members[1], members[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lacks this member, " + members[0]);
        assertThatThrownBy(() -> open(0, members[0], ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a member's address is host:port");
        assertThatThrownBy(() -> DiskQueue.replicated()
                        .members(members[0])
                        .folder(folder.resolve("none"))
                        .open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no address of this member is given");
    }
}
