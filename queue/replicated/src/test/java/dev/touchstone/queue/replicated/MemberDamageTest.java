package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
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
        for (String name : missing.split(" ")) {
            delete(own.resolve(name));
        }
        for (int i = 0; i < 2; i++) {
            assertRefused(group, own.resolve("log").resolve("STATE"));
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

    /** Returns files of which no name can be changed after some changes. */
    private static FileIo failingAfter(int changes) {
        FileIo disk = new DiskFileIo();
        AtomicInteger left = new AtomicInteger(changes);
        return (FileIo) Proxy.newProxyInstance(
                FileIo.class.getClassLoader(), new Class<?>[] {FileIo.class}, (proxy, method, arguments) -> {
                    if (CHANGES.contains(method.getName()) && left.getAndDecrement() <= 0) {
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
