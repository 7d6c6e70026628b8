package dev.touchstone.queue.replicated.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line with members in processes of their own. */
@Tag("sweep")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemberCommandsTest {
    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final String[] addresses = new String[4];
    private String out = "";
    private String err = "";

    @BeforeEach
    void chooseAddresses() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < addresses.length; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            addresses[i] = "127.0.0.1:" + sockets.get(i).getLocalPort();
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    private Path file(int number, int... group) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of("# a member", "member=" + addresses[number], "folder = " + folder.resolve("member-" + number)));
        if (number == 1) {
            lines.add("listen=" + addresses[1].replace("127.0.0.1", "0.0.0.0")); // all interfaces
        }
        if (group.length > 0) {
            List<String> members = new ArrayList<>();
            for (int each : group) {
                members.add(addresses[each]);
            }
            lines.add("members=" + String.join(", ", members));
        }
        return Files.write(folder.resolve(number + ".conf"), lines);
    }

    private Process member(Path file) throws IOException {
        return start(process("member", file.toString()).redirectErrorStream(true));
    }

    private Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Returns a process of the command, not yet started. */
    private static ProcessBuilder process(String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:+IgnoreUnrecognizedVMOptions", // the next two are options of JDK 24 and later
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line);
    }

    private static void awaitUp(Process member) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(member.getInputStream(), UTF_8), 1);
        List<String> seen = new ArrayList<>();
        for (String line = lines.readLine(); line == null || !line.endsWith(" is up"); line = lines.readLine()) {
            assertThat(line).as("%s", seen).isNotNull();
            seen.add(line);
        }
    }

    private int run(String... args) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int code =
                MemberCommands.execute(Console.of(new PrintWriter(output, true), new PrintWriter(errors, true)), args);
        out = output.toString();
        err = errors.toString();
        return code;
    }

    @Test
    void member_toldToEndWhileItWaitsForOthers_ends() throws Exception {
        Process waiting = member(file(0, 0, 1, 2));
        String answer = "down";
        while (answer.contains("down")) {
            assertThat(waiting.isAlive()).isTrue();
            int unused = run("status", folder.resolve("0.conf").toString());
            answer = out.lines()
                    .filter(line -> line.startsWith(addresses[0]))
                    .findFirst()
                    .orElse("down");
        }
        assertThat(answer).contains("starting");
        waiting.destroy();
        assertThat(waiting.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void members_startedByTheCommand_areShownChangedAndGoOnWithoutOne() throws Exception {
        Path first = file(0, 0, 1, 2);
        Process killed = member(first);
        Process second = member(file(1, 0, 1, 2));
        try (DiskQueue<String> queue = DiskQueue.replicated()
                .member(addresses[2])
                .members(addresses[0], addresses[1], addresses[2])
                .folder(folder.resolve("member-2"))
                .codec(Codec.utf8())
                .open()) {
            awaitUp(killed);
            awaitUp(second);
            queue.add("a");
            assertThat(run("transfer", first.toString(), addresses[1])).as(err).isZero();
            while (run("status", first.toString()) != 0
                    || !addresses[1].equals(queue.replication().leader())) {
                assertThat(killed.isAlive()).isTrue();
            }
            assertThat(out).contains(addresses[0], addresses[1], addresses[2], "leader", "follower");
            assertThat(run("verify", first.toString())).as(err).isZero();
            assertThat(out).contains(addresses[0], addresses[1], addresses[2], "all states are equal");
            assertThat(run("verify", first.toString(), "--json")).as(err).isZero();
            assertThat(out).contains("\"agree\" : true", "\"failure\" : null");
            assertThat(run("status", first.toString(), "--json")).isZero();
            assertThat(out).contains("\"agree\" : true", "\"role\" : \"leader\"");

            Process added = member(file(3));
            awaitUp(added);
            assertThat(run("add", first.toString(), addresses[3])).as(err).isZero();
            assertThat(run("status", folder.resolve("3.conf").toString()))
                    .as(err)
                    .isZero(); // a file without members
            assertThat(out).contains(addresses);
            assertThat(run("add", first.toString(), addresses[3])).isEqualTo(MemberCommands.REFUSED);
            assertThat(err).contains("refuses", "a member already");
            for (String command : List.of("remove", "transfer")) {
                assertThat(run(command, first.toString(), "127.0.0.1:1")).isEqualTo(MemberCommands.REFUSED);
                assertThat(err).contains("refuses", "no such member: member=127.0.0.1:1");
            }
            killed.destroyForcibly().waitFor();
            assertThat(run("status", first.toString())).isEqualTo(MemberCommands.UNAVAILABLE);
            assertThat(out).contains("down");
            assertThat(run("verify", first.toString())).isEqualTo(MemberCommands.UNAVAILABLE);
            assertThat(out)
                    .contains(addresses[0] + "  not verified", "3 of 4 states were read, and these are equal")
                    .doesNotContain("all states");
            assertThat(run("remove", folder.resolve("3.conf").toString(), addresses[0]))
                    .as(err)
                    .isZero();
            assertThat(queue.replication().members())
                    .containsExactlyInAnyOrder(addresses[1], addresses[2], addresses[3]);
            assertThat(queue.poll()).isEqualTo("a");
            added.destroy();
            assertThat(added.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void remove_mostMembersOfTheFileAreOfAnotherGroup_isForTheGroupOfTheFolder() throws Exception {
        awaitUp(member(file(0, 0)));
        Process one = member(file(1, 1, 2));
        Process two = member(file(2, 1, 2));
        awaitUp(one);
        awaitUp(two);
        while (run("status", folder.resolve("1.conf").toString()) != 0) {
            assertThat(one.isAlive()).isTrue();
        }
        String file = file(0, 0, 1, 2).toString(); // its folder is that of the member that is a group alone
        assertThat(run("remove", file, addresses[2])).as(out + err).isEqualTo(MemberCommands.REFUSED);
        assertThat(run("status", file)).as(err).isZero();
        assertThat(out).contains(addresses[0]).doesNotContain(addresses[1], addresses[2]);
    }

    @Test
    void member_ownMemberHasFailed_endsTheProcess() throws Exception {
        Path first = file(0, 0, 1, 2);
        Process failing = member(first);
        Process second = member(file(1, 0, 1, 2));
        Process third = member(file(2, 0, 1, 2));
        awaitUp(failing);
        awaitUp(second);
        awaitUp(third);
        while (run("status", first.toString()) != 0) {
            assertThat(failing.isAlive()).isTrue();
        }
        Path votes = folder.resolve("member-0").resolve("group").resolve("meta");
        Files.move(votes, folder.resolve("lost")); // as on a full disk: its next term cannot be stored
        String next = out.contains(addresses[1] + "       leader") ? addresses[2] : addresses[1];
        assertThat(run("transfer", first.toString(), next)).as(err).isZero();
        assertThat(failing.waitFor(30, TimeUnit.SECONDS)).as("ends").isTrue();
        assertThat(failing.exitValue()).isEqualTo(MemberCommands.FAILED);
    }

    @Test
    void verify_bitFlippedInAnElement_isDamageAndNoAgreement() throws Exception {
        List<CompletableFuture<DiskQueue<String>>> starts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DiskQueueBuilder<String> builder = DiskQueue.replicated()
                    .member(addresses[i])
                    .members(addresses[0], addresses[1], addresses[2])
                    .folder(folder.resolve("member-" + i))
                    .codec(Codec.utf8());
            starts.add(CompletableFuture.supplyAsync(builder::open, task -> new Thread(task).start()));
        }
        List<DiskQueue<String>> queues = new ArrayList<>();
        try {
            for (CompletableFuture<DiskQueue<String>> start : starts) {
                queues.add(start.get());
            }
            queues.get(0).add("an element of which one bit is flipped");
            queues.get(2).replication().awaitCommitted();
            flipBit(folder.resolve("member-2").resolve("records"), "an element of which");
            assertThat(run("verify", file(0, 0, 1, 2).toString())).isEqualTo(MemberCommands.DAMAGED);
            assertThat(out)
                    .containsPattern(Pattern.quote(addresses[2]) + ".* DAMAGED: the state cannot be read: ")
                    .contains("2 of 3 states were read, and these are equal")
                    .doesNotContain("all states", "Exception");
            assertThat(run("verify", file(0, 0, 1, 2).toString(), "--json")).isEqualTo(MemberCommands.DAMAGED);
            assertThat(out).contains("\"agree\" : false", "\"statesRead\" : 2");
        } finally {
            queues.forEach(DiskQueue::close);
        }
    }

    /** Waits until a file has the element, which a member writes a while after it has applied its entry, and flips a bit of it. */
    private static void flipBit(Path records, String element) throws IOException {
        long start = System.nanoTime();
        while (!hasFlippedBit(records, element)) {
            if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(1)) {
                throw new AssertionError("no file has the element: folder=" + records);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static boolean hasFlippedBit(Path records, String element) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(records)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            int at = new String(bytes, ISO_8859_1).indexOf(element);
            if (at >= 0) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    return channel.write(ByteBuffer.wrap(new byte[] {(byte) (bytes[at] ^ 1)}), at) == 1;
                }
            }
        }
        return false;
    }

    @Test
    void commands_allIsWell_printNoErrors() throws Exception {
        String file = file(0, 0).toString();
        List<Path> errors = new ArrayList<>(List.of(folder.resolve("member.err")));
        Process member =
                start(process("member", file).redirectError(errors.get(0).toFile()));
        awaitUp(member);
        assertThat(run("remove", file, addresses[0])).isEqualTo(MemberCommands.REFUSED);
        assertThat(err).contains("the last member cannot be removed");
        for (String command : List.of("status", "verify")) {
            Path told = folder.resolve(command + ".err");
            errors.add(told);
            Process process = start(process(command, file)
                    .redirectError(told.toFile())
                    .redirectOutput(folder.resolve(command + ".out").toFile()));
            assertThat(process.waitFor()).as(Files.readString(told)).isZero();
        }
        member.destroy();
        member.waitFor();
        for (Path each : errors) {
            assertThat(each).isEmptyFile();
        }
    }

    @Test
    void status_ofMembersThatAreDown_saysSo() throws Exception {
        assertThat(run("status", file(0, 0, 1, 2).toString())).isEqualTo(MemberCommands.UNAVAILABLE);
        assertThat(out).contains("down");
        assertThat(err).contains("no leader has answered", "not done within 3 s", "waiting");
        assertThat(run("transfer", folder.resolve("0.conf").toString(), addresses[1]))
                .isEqualTo(MemberCommands.UNAVAILABLE);
        assertThat(run("verify", folder.resolve("0.conf").toString(), "--timeout", "1"))
                .isEqualTo(MemberCommands.UNAVAILABLE);
    }
}
