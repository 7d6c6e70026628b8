package dev.touchstone.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.docs.DocumentTool.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code config/DocumentBlocks.java} and of {@link DocumentTool}: each kind of bad document is found, and a good one is left alone. */
@Timeout(300)
final class DocumentBlocksTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    static Path work;

    @TempDir
    Path root;

    private static DocumentTool tool;

    @BeforeAll
    static void compileTool() throws Exception {
        tool = DocumentTool.compiled(work);
    }

    @Test
    void check_goodDocuments_noProblem() throws Exception {
        write("pom.xml", "<artifactId>root</artifactId><module>queue</module>");
        write("queue/pom.xml", "<parent><artifactId>root</artifactId></parent><artifactId>queue</artifactId>");
        write("src/Some.java", "class Some {", "    void run() {", "        int  a = 1;", "    }", "}");
        write("scripts/all", "#!/bin/sh", "  nice scripts/one --fast", "scripts/two");
        write(
                "README.md",
                "# Top",
                "[a](docs/a.md) [b](docs/a.md#the-folder-and-more) [c](#top) [d](/docs) [e](https://example.org/x) `[f](none)`",
                "[twice](docs/a.md#again-1) [own](docs/a.md#own) <img src=\"docs/a.md\">",
                "[reference]: docs/a.md \"title\"");
        write(
                "docs/a.md",
                "# The `<folder>`, and [more](../README.md)",
                "## Again",
                "## Again",
                "<a id=\"own\"></a>",
                "<!-- excerpt: src/Some.java -->",
                "```java",
                "void run() {",
                "    int a = 1;",
                "```",
                "<!-- run by: scripts/all -->",
                "```sh",
                "# a comment",
                "scripts/one   --fast   # another",
                "scripts/two",
                "```",
                "<!-- any other comment -->",
                "",
                "```xml",
                "<groupId>dev.touchstone</groupId>",
                "<artifactId>queue</artifactId>",
                "```",
                "- a list",
                "",
                "  ~~~text",
                "  # no heading, [no link](none)",
                "  ~~~");

        assertThat(check("README.md", "docs/a.md")).isEqualTo(new Outcome(0, ""));
    }

    @Test
    void check_excerptWithAnotherLine_isToldWithTheLine() throws Exception {
        write("Some.java", "class Some {", "    int a;", "}");
        write("a.md", "<!-- excerpt: Some.java -->", "```java", "class Some {", "    int b;", "```");

        assertThat(check("a.md").lines()).containsExactly("a.md:4: Some.java has no such line: int b;");
    }

    @Test
    void check_excerptWithALineLeftOut_isTold() throws Exception {
        write("Some.java", "class Some {", "    int a;", "}");
        write("a.md", "<!-- excerpt: Some.java -->", "```java", "class Some {", "}", "```");

        assertThat(check("a.md").lines())
                .containsExactly("a.md:2: these lines do not stand one after the other in Some.java");
    }

    @Test
    void check_excerptOfNoFile_isTold() throws Exception {
        write("a.md", "<!-- excerpt: None.java -->", "```java", "class None {}", "```");

        assertThat(check("a.md").lines()).containsExactly("a.md:1: no such file: None.java (named from the root)");
    }

    @Test
    void check_commandThatTheScriptLacks_isToldWithTheLine() throws Exception {
        write("all", "one --fast");
        write("a.md", "<!-- run by: all -->", "```sh", "one --fast", "one --slow # why", "```");

        assertThat(check("a.md").lines()).containsExactly("a.md:4: all has no such line: one --slow");
    }

    @Test
    void check_badMarkersAndLanguages_areTold() throws Exception {
        write("a.md", "<!-- exerpt: x -->", "```sh", "```");
        write("b.md", "<!-- compile only -->", "```java", "```");
        write("c.md", "<!-- compile only: x -->", "```sh", "```");
        write("d.md", "<!-- run by: a.md -->", "```text", "```");
        write("e.md", "```bash", "```", "```Java", "```", "```", "```");
        write("f.md", "> ```sh", "> one", "> ```");
        write("g.md", "<!-- run by: a.md -->", "", "```sh", "```");
        write("h.md", "", "````sh", "```");

        List<String> problems = check("a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md", "h.md")
                .lines();

        assertThat(problems.stream().map(problem -> problem.replaceFirst(": (expected|write|begin) .*", "")))
                .containsExactlyInAnyOrder(
                        "a.md:1: unknown marker 'exerpt: x'",
                        "b.md:1: unknown marker 'compile only'",
                        "c.md:1: 'compile only' is for java, and this is sh",
                        "d.md:1: 'run by' is for sh, and this is text",
                        "e.md:1: language 'bash' of the fence is not known",
                        "e.md:3: language 'Java' of the fence is not known",
                        "e.md:5: language '' of the fence is not known",
                        "f.md:1: a fence behind a quotation or list mark",
                        "f.md:3: a fence behind a quotation or list mark",
                        "g.md:1: a marker must stand on the line directly before a fence: <!-- run by: a.md -->",
                        "h.md:2: the fence is never closed");
    }

    @Test
    void check_linksThatLeadNowhere_areTold() throws Exception {
        write("docs/b.md", "# B", "```text", "# in a block", "```");
        write(
                "docs/a.md",
                "[file](none.md)",
                "[heading](b.md#in-a-block)",
                "[here](#a)",
                "[outside](../../x)",
                "<img src=\"none.svg\">",
                "[reference]: none.txt");

        assertThat(check("docs/a.md").lines())
                .containsExactly(
                        "docs/a.md:1: link leads nowhere: none.md",
                        "docs/a.md:2: link leads nowhere: b.md#in-a-block (the document has no such heading)",
                        "docs/a.md:3: link leads nowhere: #a (the document has no such heading)",
                        "docs/a.md:4: link leads nowhere: ../../x",
                        "docs/a.md:5: link leads nowhere: none.svg",
                        "docs/a.md:6: link leads nowhere: none.txt");
    }

    @Test
    void check_coordinatesOfNoModule_areTold() throws Exception {
        write("pom.xml", "<artifactId>root</artifactId>");
        write(
                "a.md",
                "```xml",
                "<groupId>dev.touchstone</groupId>",
                "<artifactId>queu</artifactId>",
                "```",
                "```groovy",
                "implementation 'dev.touchstone:cue:0.1.0'",
                "```");

        assertThat(check("a.md").lines())
                .containsExactly(
                        "a.md:3: no module has the artifactId queu", "a.md:6: no module has the artifactId cue");
    }

    @Test
    void java_goodBlocks_areCompiledAndRunUnlessMarked() throws Exception {
        write("Some.java", "  int a;");
        write(
                "a.md",
                "# A",
                "```java",
                "import java.nio.file.Path;",
                "",
                "/** Prints. */",
                "public final class One {",
                "    public static void main(String[] args) throws Exception {",
                "        java.nio.file.Files.createFile(Path.of(\"file\"));",
                "    }",
                "}",
                "```",
                "<!-- compile only: it needs a server -->",
                "```java",
                "class Two {",
                "    public static void main(String[] args) {",
                "        System.exit(1);",
                "    }",
                "}",
                "```",
                "<!-- excerpt: Some.java -->",
                "```java",
                "int a;",
                "```",
                "```java",
                "import dev.touchstone.serialization.annotation.Compact;",
                "",
                "@Compact",
                "record Three(String name) {",
                "    static Object codec() {",
                "        return ThreeCodec.INSTANCE;",
                "    }",
                "}",
                "```");

        assertThat(tool.compileAndRun(root, List.of("a.md"), LIMIT)).isEmpty();
    }

    @Test
    void java_packageName_isPutInFrontAndLinesAreTheDocuments() throws Exception {
        write("docs/a.md", "# A", "```java", "class One {}", "```");
        Path out = root.resolve("out");

        Outcome outcome = tool.run(root, List.of("java", "out", "--package", "some.thing", "docs/a.md"));

        assertThat(outcome).isEqualTo(new Outcome(0, ""));
        assertThat(out.resolve("One.java")).hasContent("/* docs/a.md */ package some.thing;\n\nclass One {}\n");
        assertThat(out.resolve("blocks.tsv")).hasContent("some.thing.One\tdocs/a.md:2\tcompile\n");
    }

    @Test
    void java_missingImportWarningAndTypeOfAnotherDocument_areToldWithTheLine() throws Exception {
        write("a.md", "# A", "```java", "class One {", "    Path path;", "}", "```");
        write("b.md", "```java", "class Two {", "    java.util.List list;", "}", "```");
        write("c.md", "```java", "class Three {", "    One one;", "}", "```");

        assertThat(tool.compileAndRun(root, List.of("a.md", "b.md", "c.md"), LIMIT).stream()
                        .map(problem -> problem.lines().findFirst().orElseThrow()))
                .containsExactly(
                        "a.md:4: error: cannot find symbol",
                        "b.md:3: warning: [rawtypes] found raw type: java.util.List",
                        "error: warnings found and -Werror specified",
                        "c.md:3: error: cannot find symbol");
    }

    @Test
    void java_blockThatThrows_isToldWithItsOutput() throws Exception {
        write("a.md", "```java", main("One", "throw new IllegalStateException(\"broken\");"), "```");

        assertThat(tool.compileAndRun(root, List.of("a.md"), LIMIT))
                .singleElement()
                .asString()
                .startsWith("a.md:1: One ended with exit code 1")
                .contains("IllegalStateException: broken");
    }

    @Test
    void java_blockThatDoesNotEnd_isTold() throws Exception {
        write("a.md", "```java", main("One", "while (true) {}"), "```");

        assertThat(tool.compileAndRun(root, List.of("a.md"), Duration.ofSeconds(1)))
                .containsExactly("a.md:1: One ended with exit code -1: still running after 1 s; ");
    }

    @Test
    void java_incompleteBlocks_areRefused() throws Exception {
        write("a.md", "```java", "int a = 1;", "```", "```java", "class A {}", "record B() {}", "```");
        write("b.md", "```java", "package some;", "class C {}", "```");

        List<String> problems =
                tool.run(root, List.of("java", "out", "a.md", "b.md")).lines();

        assertThat(problems).hasSize(3);
        assertThat(problems.get(0)).startsWith("a.md:1: expected one top-level type at the start of a line, got []");
        assertThat(problems.get(1))
                .startsWith("a.md:4: expected one top-level type at the start of a line, got [A, B]");
        assertThat(problems.get(2)).isEqualTo("b.md:1: the block has a package line: leave it out");
    }

    @Test
    void java_sameTypeTwice_isRefusedWithBothPlaces() throws Exception {
        write("a.md", "```java", "class One {}", "```");
        write("b.md", "", "```java", "class One {}", "```");

        assertThat(tool.run(root, List.of("java", "out", "a.md", "b.md")))
                .isEqualTo(new Outcome(1, "b.md:2: type One stands in a.md:1 too: give one of them another name\n"));
    }

    @Test
    void sh_failingCommand_isToldWithTheLineOfTheDocument() throws Exception {
        write(
                "a.md",
                "# A",
                "```sh",
                "name=one",
                "```",
                "text",
                "```sh",
                "echo $name",
                "true",
                "test $name = two",
                "echo no",
                "```");

        assertThat(script("a.md")).isEqualTo(new Outcome(1, "one\na.md:9: exit code 1: test $name = two\n"));
    }

    @Test
    void sh_unsetVariable_isToldWithTheLineOfTheDocument() throws Exception {
        write("docs/a.md", "# A", "```sh", "echo $NOT_SET_ANYWHERE", "```");

        assertThat(script("docs/a.md").output()).contains("docs-a.md.sh: line 3: NOT_SET_ANYWHERE: unbound variable");
    }

    @Test
    void sh_markedBlocks_areLeftOut() throws Exception {
        write("a.md", "<!-- run by: all -->", "```sh", "one", "```");

        assertThat(tool.run(root, List.of("sh", "out", "a.md"))).isEqualTo(new Outcome(0, ""));
        assertThat(root.resolve("out")).isEmptyDirectory();
    }

    @Test
    void main_wrongArguments_printsTheUsage() throws Exception {
        Outcome outcome = tool.run(root, List.of("compile", "a.md"));

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.output()).startsWith("usage: java config/DocumentBlocks.java");
    }

    private Outcome check(String... documents) throws Exception {
        return tool.run(root, DocumentTool.concat(List.of("check", "."), List.of(documents)));
    }

    private Outcome script(String document) throws Exception {
        assertThat(tool.run(root, List.of("sh", "out", document)).code()).isZero();
        return tool.start(root, List.of("bash", "out/" + document.replace('/', '-') + ".sh"), LIMIT);
    }

    private static String main(String type, String statement) {
        return "class " + type + " {\n    public static void main(String[] args) {\n        " + statement
                + "\n    }\n}";
    }

    private void write(String name, String... lines) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }
}
