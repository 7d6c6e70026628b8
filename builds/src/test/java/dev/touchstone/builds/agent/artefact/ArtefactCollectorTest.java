package dev.touchstone.builds.agent.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.file.Bundle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the agent collects the files of a build that match, and no file from outside the build. */
class ArtefactCollectorTest {
    @TempDir
    Path tmp;

    private Path tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectories(tmp.resolve("workspace/src"));
        write("target/a.jar");
        write("target/b.war");
        write("target/deep/c.jar");
        write(".git/config");
        Files.writeString(tmp.resolve("secret"), "secret");
    }

    private void write(String name) throws IOException {
        Path file = tree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
    }

    private Path bundle() {
        return tmp.resolve("bundle");
    }

    private Collected collect(int maxFiles, long maxBytes, String... patterns) throws IOException {
        Files.deleteIfExists(bundle());
        return new ArtefactCollector(List.of(patterns), maxFiles, maxBytes, () -> {})
                .collect(tmp, Path.of("workspace/src"), bundle());
    }

    private List<String> names(String... patterns) throws IOException {
        Collected collected = collect(100, 1 << 20, patterns);
        if (collected.files() == 0) {
            assertThat(bundle()).doesNotExist();
            return List.of();
        }
        assertThat(collected.bundleBytes()).isEqualTo(Files.size(bundle()));
        try (FileChannel in = FileChannel.open(bundle())) {
            Bundle list = Bundle.read(in);
            assertThat(list.items()).hasSize(collected.files());
            assertThat(list.contentBytes()).isEqualTo(collected.bytes());
            return list.items().stream().map(Bundle.Item::name).toList();
        }
    }

    @Test
    void files_thatAnyPatternMatches_areCollectedOnce() throws IOException {
        assertThat(names("target/*.jar")).containsExactly("target/a.jar");
        assertThat(names("**.jar", "target/*")).containsExactly("target/a.jar", "target/b.war", "target/deep/c.jar");
        assertThat(names("target/{a,b}.?ar")).containsExactly("target/a.jar", "target/b.war");
        assertThat(names("nothing/*")).isEmpty();
        assertThat(names("target")).as("a folder is no file").isEmpty();
    }

    @Test
    void gitFolder_isNeverCollected() throws IOException {
        assertThat(names("**")).doesNotContain(".git/config").hasSize(3);
        assertThat(names(".git/*")).isEmpty();
    }

    @Test
    void links_areNotFollowed() throws IOException {
        Files.createSymbolicLink(tree.resolve("link"), tmp.resolve("secret"));
        Files.createSymbolicLink(tree.resolve("folder"), tmp);
        Files.createSymbolicLink(tree.resolve("inner"), tree.resolve("target"));
        assertThat(names("link", "folder/*", "inner/*", "**"))
                .containsExactly("target/a.jar", "target/b.war", "target/deep/c.jar");
    }

    @Test
    void tree_thatTheScriptHasReplacedByALink_isNotFollowed() throws IOException {
        Files.move(tree, tmp.resolve("workspace/moved"));
        Files.createSymbolicLink(tree, tmp);
        assertThatThrownBy(() -> names("*")).isInstanceOf(IOException.class);
        assertThat(bundle()).doesNotExist();
    }

    @Test
    void name_thatIsNotUtf8_isRefusedIfItMatches() throws Exception {
        Process made = new ProcessBuilder("bash", "-c", "touch $'target/x\\xff.jar'")
                .directory(tree.toFile())
                .start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(names("target/a.jar")).hasSize(1);
        assertThatThrownBy(() -> names("target/*"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not UTF-8: name=target/x");
        assertThat(bundle()).doesNotExist();
    }

    @Test
    void name_ofAnyCharacters_isThatOfTheFileSystem() throws Exception {
        Process made = new ProcessBuilder("bash", "-c", "touch $'target/\\xe2\\x82\\xac %.jar'")
                .directory(tree.toFile())
                .start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(names("target/\u20ac*")).containsExactly("target/\u20ac %.jar");
    }

    @Test
    void tooManyFilesOrBytes_areRefused() {
        assertThatThrownBy(() -> collect(2, 1 << 20, "**")).hasMessageContaining("files=3 most=2");
        assertThatThrownBy(() -> collect(100, 20, "**")).hasMessageContaining("most=20");
        assertThat(bundle()).doesNotExist();
    }

    @Test
    void build_thatIsStopped_endsTheCollection() {
        ArtefactCollector collector = new ArtefactCollector(List.of("**"), 100, 1 << 20, () -> {
            throw new InterruptedIOException("stopped");
        });
        assertThatThrownBy(() -> collector.collect(tmp, Path.of("workspace/src"), bundle()))
                .isInstanceOf(InterruptedIOException.class);
    }
}
