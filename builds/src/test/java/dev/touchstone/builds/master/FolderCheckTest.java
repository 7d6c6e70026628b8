package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Artefact;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.Bundles;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.Recovery;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.JournalDamagedException;
import dev.touchstone.builds.master.journal.JournalFolder;
import dev.touchstone.queue.inspect.FolderInUseException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bit of the journal is flipped: what is lost is said, and the rest goes on. */
@Timeout(300)
class FolderCheckTest {
    private static final int JOBS = 12;

    @TempDir
    Path temp;

    /** The content of a journal: each job's state in words, and the numbers that only grow. */
    private record State(Map<Long, String> jobs, long life, long nextNumber) {}

    /** Makes a folder with jobs in all states, of several lives. */
    private Path pristine() throws Exception {
        Path folder = temp.resolve("pristine");
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("some output\n");
                return run.assignment.environment().containsKey("FAILS") ? 3 : 0;
            })));
            for (int i = 0; i < JOBS; i++) {
                if (i % 4 == 0) {
                    site.stopMaster();
                    site.startMaster();
                }
                Build build = client.submit(Site.request()
                        .environment(i % 3 == 0 ? Map.of("FAILS", "" + i) : Map.of())
                        .secret("TOKEN", "secret-" + i)
                        .build());
                build.result().get(60, TimeUnit.SECONDS);
                build = client.submit(Site.request().noop(true).build());
                build.result().get(60, TimeUnit.SECONDS);
                build = client.submit(Site.request().label("nobodys").build());
                build.accepted().get(60, TimeUnit.SECONDS);
                if (i % 5 == 0) {
                    build.cancel("not wanted").get(60, TimeUnit.SECONDS);
                    build.result().get(60, TimeUnit.SECONDS);
                }
            }
        }
        return folder;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static State state(Path folder) throws IOException {
        Recovery recovery = new Recovery();
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            boolean unused = journal.play(recovery);
        }
        Map<Long, String> jobs = new TreeMap<>();
        for (Job job : recovery.jobs()) {
            jobs.put(job.number, job.state + " " + job.attempt + " " + job.ending);
        }
        return new State(jobs, recovery.life(), recovery.nextNumber());
    }

    private static List<Path> journalFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            return files.filter(file -> !file.endsWith("LOCK")).sorted().toList();
        }
    }

    /** A byte of a file of the journal. */
    private record Place(String file, int at) {}

    /** Returns the bytes of all files that are not zero: most zeros are spare room, in which nobody loses anything. */
    private static List<Place> places(Path folder) throws IOException {
        List<Place> places = new ArrayList<>();
        for (Path file : journalFiles(folder)) {
            byte[] bytes = Files.readAllBytes(file);
            for (int at = 0; at < bytes.length; at++) {
                if (bytes[at] != 0) {
                    places.add(new Place(file.getFileName().toString(), at));
                }
            }
        }
        return places;
    }

    /** Flips a bit of a place, and returns where. */
    private static String flip(Path folder, Place place, int bit) throws IOException {
        Path file = folder.resolve("journal").resolve(place.file());
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(place.at());
            int old = bytes.read();
            bytes.seek(place.at());
            bytes.write(old ^ 1 << bit);
        }
        return place + " bit=" + bit;
    }

    private void flipBits(int places) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("FolderCheckTest: reproduce with -Dseed=" + seed);
        Random random = new Random(seed);
        Path pristine = pristine();
        State before = state(pristine);
        assertThat(FolderCheck.verify(pristine).isWhole()).isTrue();
        assertThat(before.jobs()).hasSize(3 * JOBS);
        List<Place> all = places(pristine);
        int damaged = 0;
        int refused = 0;
        int lostJobs = 0;
        for (int place = 0; place < places; place++) {
            Path folder = Files.createDirectory(temp.resolve("copy-" + place));
            Files.delete(folder);
            copy(pristine, folder);
            String where = flip(folder, all.get(random.nextInt(all.size())), random.nextInt(8)) + " seed=" + seed;
            FolderCheck.Report found = FolderCheck.verify(folder);
            if (found.isWhole()) {
                assertThat(state(folder)).as(where).isEqualTo(before);
            } else {
                damaged++;
                assertThat(found.lost()).as(where).isNotEmpty();
                Path opened = temp.resolve("opened-" + place);
                copy(folder, opened);
                refused += isRefused(opened) ? 1 : 0;
                delete(opened);
                FolderCheck.Report repaired = FolderCheck.repair(folder);
                assertThat(repaired.lost()).as(where).anyMatch(line -> line.contains("damaged-journal-1"));
                assertThat(FolderCheck.verify(folder).isWhole()).as(where).isTrue();
                State after = state(folder);
                assertThat(after.life()).as(where).isGreaterThan(before.life());
                assertThat(after.nextNumber()).as(where).isGreaterThan(before.nextNumber());
                assertThat(before.jobs().keySet())
                        .as(where)
                        .containsAll(after.jobs().keySet());
                assertThat((long) after.jobs().size()).as(where).isEqualTo(found.jobs());
                after.jobs().forEach((number, state) -> {
                    if (state.startsWith("ENDED")) {
                        assertThat(state).as(where).isEqualTo(before.jobs().get(number));
                    }
                });
                lostJobs += before.jobs().size() - after.jobs().size();
                if (damaged % 20 == 1) {
                    serves(folder, where);
                }
            }
            delete(folder);
        }
        System.out.println("FIGURE bits flipped=" + places + " damaged=" + damaged + " refused at start=" + refused
                + " repaired=" + damaged + " jobs lost in all=" + lostJobs);
        assertThat(damaged).isGreaterThan(places / 4);
    }

    private static boolean isRefused(Path folder) throws IOException {
        try {
            State unused = state(folder);
            return false;
        } catch (JournalDamagedException e) {
            assertThat(e).hasMessageContaining("'builds repair'");
            return true;
        }
    }

    /** A master runs on the folder: what was unfinished, and what is new. */
    private static void serves(Path folder, String where) throws Exception {
        try (Site site = new Site(folder)) {
            site.agent(
                    "b",
                    site.with(new FakeAgent(2, java.util.Set.of("any", "nobodys"), java.util.Set.of("bash"), run -> {
                        run.print("again\n");
                        return 0;
                    })));
            BuildClient client = site.client();
            List<Build> builds = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                builds.add(
                        client.submit(Site.request().secret("TOKEN", "one more").build()));
            }
            for (Build build : builds) {
                BuildResult result = build.result().get(60, TimeUnit.SECONDS);
                assertThat(result.isSuccess()).as("%s %s", where, result).isTrue();
                assertThat(result.logBytes()).as(where).isEqualTo(6);
            }
        }
    }

    @Test
    void bitFlippedAt100Places_saysWhatIsLostAndServesTheRest() throws Exception {
        flipBits(100);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void bitFlippedAt1000Places_saysWhatIsLostAndServesTheRest() throws Exception {
        flipBits(1000);
    }

    @Test
    void artefacts_damagedOrMissing_areSaidAndTheRestIsServed() throws Exception {
        Path folder = temp.resolve("artefacts");
        byte[] bundle = Bundles.of(Map.of("a", new byte[] {1}, "b", new byte[] {2}, "c", new byte[] {3}));
        String id;
        String other;
        BuildRequest request =
                Site.request().files(BuildFiles.NONE.withArtefact("**")).build();
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.handOn(bundle);
                return 0;
            })));
            id = site.client()
                    .submit(request)
                    .result()
                    .get(60, TimeUnit.SECONDS)
                    .jobId();
            other = site.client()
                    .submit(request)
                    .result()
                    .get(60, TimeUnit.SECONDS)
                    .jobId();
        }
        assertThat(FolderCheck.verify(folder).isWhole()).isTrue();
        State before = state(folder);
        Path artefacts = folder.resolve("artefacts");
        Files.writeString(content(artefacts, new byte[] {1}), "x");
        Files.delete(content(artefacts, new byte[] {2}));
        FolderCheck.Report found = FolderCheck.verify(folder);
        assertThat(found.isWhole()).isFalse();
        assertThat(found.lost())
                .hasSize(4)
                .anyMatch(line -> line.contains("name=a cause=expected bytes=1 sha256="))
                .anyMatch(line -> line.contains("name=b cause=file is missing"));
        Files.write(artefacts.resolve("jobs/" + other.replaceAll(".*-", "")), new byte[100]);
        assertThat(FolderCheck.verify(folder).lost()).anyMatch(line -> line.contains("list of a job's artefacts"));
        FolderCheck.Report repaired = FolderCheck.repair(folder);
        assertThat(repaired.lost()).anyMatch(line -> line.contains("a damaged artefact is kept"));
        assertThat(FolderCheck.verify(folder).isWhole()).isTrue();
        assertThat(state(folder)).as("the journal is left alone").isEqualTo(before);
        assertThat(folder.resolve("damaged-journal-1")).doesNotExist();
        try (Site site = new Site(folder)) {
            assertThat(site.client().artefacts(id).get(60, TimeUnit.SECONDS))
                    .extracting(Artefact::name)
                    .containsExactly("c");
            assertThatThrownBy(() -> site.client().artefacts(other).get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("not kept any more");
            assertThat(site.client().downloadArtefacts(id, temp.resolve("to")).get(60, TimeUnit.SECONDS))
                    .hasSize(1);
        }
    }

    private static Path content(Path artefacts, byte[] bytes) throws IOException {
        try (Stream<Path> files = Files.walk(artefacts.resolve("content"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Arrays.equals(Files.readAllBytes(file), bytes)) {
                    return file;
                }
            }
        }
        throw new AssertionError("no file has these bytes");
    }

    @Test
    void verify_ofAFolderInUseOrOfNone_isRefused() throws Exception {
        Path folder = temp.resolve("used");
        try (Site site = new Site(folder)) {
            assertThat(site.port()).isPositive();
            assertThatThrownBy(() -> FolderCheck.verify(folder)).isInstanceOf(FolderInUseException.class);
            assertThatThrownBy(() -> FolderCheck.repair(folder)).isInstanceOf(FolderInUseException.class);
        }
        assertThatThrownBy(() -> FolderCheck.verify(temp.resolve("none"))).isInstanceOf(NoSuchFileException.class);
        assertThat(FolderCheck.repair(folder).isWhole()).isTrue();
    }
}
