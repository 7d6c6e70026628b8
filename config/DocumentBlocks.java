import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reader of fenced blocks in Markdown documents: it checks them, and writes out what is to be compiled and run. Run from source, by
 * tests and scripts; {@code java config/DocumentBlocks.java} without arguments prints the usage.
 *
 * <p>Written files keep the line numbers of their document, so what a compiler or a shell says of line 12 is about line 12 of the document.
 */
final class DocumentBlocks {
    private static final String USAGE = """
            usage: java config/DocumentBlocks.java <verb> ...

              check <root> <document>...                        checks markers, languages, links, anchors and coordinates
              java <out-folder> [--package <name>] <document>...  writes <Type>.java of each complete java block, and blocks.tsv:
                                                                class, document:line, "run" or "compile"
              sh <out-folder> <document>...                     writes <document, with - for />.sh of each document with sh blocks to run

            A comment on the line before a fence changes what is done with the block:
              <!-- excerpt: <file> -->         the lines stand one after the other in the file, which is named from the root; any language
              <!-- compile only: <reason> -->  java: compiled and not run
              <!-- run by: <file> -->          sh: not run; each command stands in the file, which something else runs
            Exit codes: 0 done, 1 problems (each told as document:line: problem), 2 wrong usage.
            """;

    private static final List<String> LANGUAGES =
            List.of(("java sh text json yaml xml console mermaid properties csv sql ini"
                            + " http html erlang groovy kotlin python javascript diff")
                    .split(" "));

    private static final Pattern FENCE = Pattern.compile("( *)(`{3,}|~{3,}) *([^\\s`]*)[^`]*");
    private static final Pattern NESTED_FENCE = Pattern.compile("\\s*(?:[>*+-]|\\d+[.)])\\s*(?:```|~~~).*");
    private static final Pattern COMMENT = Pattern.compile("\\s*<!--\\s*(.*?)\\s*-->\\s*");
    private static final Pattern MARKER = Pattern.compile("(excerpt|compile only|run by): *(\\S.*)");
    private static final Pattern TYPE = Pattern.compile(
            "(?:@[\\w.]+(?:\\([^)]*\\))? +)*(?:(?:public|final|abstract|sealed|non-sealed|strictfp) +)*(?:class|interface|enum|record|@interface) +(\\w+).*");
    private static final Pattern MAIN = Pattern.compile("\\bpublic static void main\\(String");
    private static final Pattern COORDINATES =
            Pattern.compile("<groupId>dev\\.touchstone</groupId>\\s*<artifactId>([^<]*)|dev\\.touchstone:([\\w-]+)");
    private static final Pattern CODE_SPAN = Pattern.compile("(`+)[^`].*?\\1");
    private static final Pattern LINK = Pattern.compile(
            "\\]\\( *<?([^\\s)>]+)>?(?: +\"[^\"]*\")? *\\)|^ {0,3}\\[[^\\]]+\\]: *(\\S+)|\\b(?:href|src|srcset)=\"([^\"]+)\"");
    private static final Pattern EXTERNAL = Pattern.compile("(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//).*");
    private static final Pattern HEADING = Pattern.compile(" {0,3}#{1,6} +(.*?)(?: +#+)? *");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

    private final List<String> problems = new ArrayList<>();

    /** A fenced block: the line of its fence, counted from 1, its language, its marker or "", what the marker says, and its lines. */
    private record Block(String document, int line, String language, String marker, String value, List<String> lines) {
        boolean isMarked(String kind) {
            return marker.equals(kind);
        }
    }

    /** A document: its name as given, its blocks, and its lines with those of blocks made empty. */
    private record Document(String name, List<Block> blocks, List<String> prose) {}

    private DocumentBlocks() {}

    /** Runs the verb {@code args[0]}. */
    public static void main(String[] args) throws IOException {
        List<String> rest = new ArrayList<>(List.of(args));
        String verb = rest.isEmpty() ? "" : rest.remove(0);
        if (!Set.of("check", "java", "sh").contains(verb) || rest.size() < 2) {
            System.err.print(USAGE);
            System.exit(2);
        }
        Path folder = Path.of(rest.remove(0));
        String packageName = "";
        if (verb.equals("java") && rest.get(0).equals("--package") && rest.size() > 2) {
            packageName = rest.get(1);
            rest.subList(0, 2).clear();
        }
        DocumentBlocks blocks = new DocumentBlocks();
        List<Document> documents = new ArrayList<>();
        for (String name : rest) {
            documents.add(blocks.read(name));
        }
        switch (verb) {
            case "check" -> blocks.check(folder, documents);
            case "java" -> blocks.writeJava(Files.createDirectories(folder), packageName, documents);
            default -> blocks.writeScripts(Files.createDirectories(folder), documents);
        }
        blocks.problems.forEach(System.out::println);
        System.exit(blocks.problems.isEmpty() ? 0 : 1);
    }

    private void problem(String document, int line, String text) {
        problems.add(document + ":" + line + ": " + text);
    }

    private void problem(Block block, String text) {
        problem(block.document, block.line, text);
    }

    // ---- reading

    private Document read(String name) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(name));
        Document document = new Document(name, new ArrayList<>(), new ArrayList<>());
        int at = 0;
        while (at < lines.size()) {
            Matcher fence = FENCE.matcher(lines.get(at));
            if (!fence.matches()) {
                readProse(document, lines.get(at), at + 1 < lines.size() ? lines.get(at + 1) : "");
                at++;
                continue;
            }
            int end = at + 1;
            while (end < lines.size() && !closes(lines.get(end).strip(), fence.group(2))) {
                end++;
            }
            if (end == lines.size()) {
                problem(name, at + 1, "the fence is never closed");
            }
            document.blocks.add(block(name, at, fence, at == 0 ? "" : lines.get(at - 1), lines.subList(at + 1, end)));
            document.prose.addAll(Collections.nCopies(end - at + 1, ""));
            at = end + 1;
        }
        return document;
    }

    private static boolean closes(String line, String fence) {
        return line.length() >= fence.length()
                && line.equals(fence.substring(0, 1).repeat(line.length()));
    }

    private void readProse(Document document, String line, String next) {
        document.prose.add(line);
        Matcher comment = COMMENT.matcher(line);
        if (NESTED_FENCE.matcher(line).matches()) {
            problem(
                    document.name,
                    document.prose.size(),
                    "a fence behind a quotation or list mark: begin it on a line of its own");
        } else if (comment.matches()
                && MARKER.matcher(comment.group(1)).matches()
                && !FENCE.matcher(next).matches()) {
            problem(
                    document.name,
                    document.prose.size(),
                    "a marker must stand on the line directly before a fence: " + line.strip());
        }
    }

    private Block block(String name, int at, Matcher fence, String before, List<String> lines) {
        String marker = "";
        String value = "";
        Matcher comment = COMMENT.matcher(before);
        if (comment.matches()) {
            Matcher known = MARKER.matcher(comment.group(1));
            if (known.matches()) {
                marker = known.group(1);
                value = known.group(2);
            } else {
                problem(
                        name,
                        at,
                        "unknown marker '" + comment.group(1)
                                + "': expected 'excerpt: <file>', 'compile only: <reason>' or 'run by: <file>', or an empty line before the fence");
            }
        }
        Pattern indent = Pattern.compile("^ {0," + fence.group(1).length() + "}");
        List<String> content = lines.stream()
                .map(line -> indent.matcher(line).replaceFirst(""))
                .toList();
        return new Block(name, at + 1, fence.group(3), marker, value, content);
    }

    // ---- java

    private void writeJava(Path out, String packageName, List<Document> documents) throws IOException {
        Map<String, Block> written = new HashMap<>();
        List<String> index = new ArrayList<>();
        String prefix = packageName.isEmpty() ? "" : packageName + ".";
        for (Block block : documents.stream().flatMap(d -> d.blocks.stream()).toList()) {
            String type = block.language.equals("java") && !block.isMarked("excerpt") ? typeOf(block) : "";
            Block other = type.isEmpty() ? null : written.putIfAbsent(type, block);
            if (other != null) {
                problem(
                        block,
                        "type " + type + " stands in " + other.document + ":" + other.line
                                + " too: give one of them another name");
            } else if (!type.isEmpty()) {
                // On the first line: a block's first line is the second of its document at the earliest.
                String head =
                        "/* " + block.document + " */" + (packageName.isEmpty() ? "" : " package " + packageName + ";");
                Files.writeString(out.resolve(type + ".java"), head + padded(block, 1));
                boolean run = block.marker.isEmpty()
                        && MAIN.matcher(String.join("\n", block.lines)).find();
                index.add(prefix + type + "\t" + block.document + ":" + block.line + "\t" + (run ? "run" : "compile"));
            }
        }
        Files.write(out.resolve("blocks.tsv"), index);
    }

    /** Returns the name of the only top-level type of a block, or "" after telling a problem. */
    private String typeOf(Block block) {
        List<String> types = new ArrayList<>();
        for (String line : block.lines) {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                types.add(type.group(1));
            } else if (line.startsWith("package ")) {
                problem(block, "the block has a package line: leave it out");
                return "";
            }
        }
        if (types.size() != 1) {
            problem(
                    block,
                    "expected one top-level type at the start of a line, got " + types
                            + ": complete the block, or mark it with <!-- excerpt: <file> -->");
            return "";
        }
        return types.get(0);
    }

    /** Returns a block's lines behind as many line ends as put them at their lines of the document, when {@code line} lines are begun. */
    private static String padded(Block block, int line) {
        return "\n".repeat(block.line + 1 - line) + String.join("\n", block.lines) + "\n";
    }

    // ---- sh

    private void writeScripts(Path out, List<Document> documents) throws IOException {
        for (Document document : documents) {
            StringBuilder script = new StringBuilder();
            int begun = 1;
            for (Block block : document.blocks) {
                if (block.language.equals("sh") && block.marker.isEmpty()) {
                    script.append(script.isEmpty() ? prelude(document.name) : "")
                            .append(padded(block, begun));
                    begun = block.line + block.lines.size() + 1;
                }
            }
            if (!script.isEmpty()) {
                Files.writeString(out.resolve(document.name.replace('/', '-') + ".sh"), script);
            }
        }
    }

    /** Returns the first line of a script: it has a failure told with the line, and so the command that runs at the time limit. */
    private static String prelude(String document) {
        return "set -Eeuo pipefail; trap '[ $LINENO = 1 ] || at=$LINENO' DEBUG; "
                + "trap 'echo \"" + document + ":$LINENO: exit code $?: $BASH_COMMAND\" >&2' ERR; "
                + "trap 'echo \"" + document + ":$at: was ended while this line ran\" >&2; exit 143' TERM";
    }

    // ---- check

    private void check(Path root, List<Document> documents) throws IOException {
        Path home = root.toAbsolutePath().normalize();
        Set<String> modules = new HashSet<>();
        addModules(home, modules);
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Document document : documents) {
            for (Block block : document.blocks) {
                checkLanguage(block);
                checkCoordinates(block, modules);
                if (block.isMarked("excerpt") || block.isMarked("run by")) {
                    checkSource(block, home.resolve(block.value));
                }
            }
            for (int i = 0; i < document.prose.size(); i++) {
                Matcher link =
                        LINK.matcher(CODE_SPAN.matcher(document.prose.get(i)).replaceAll("code"));
                while (link.find()) {
                    String target = link.group(1) != null
                            ? link.group(1)
                            : link.group(2) != null ? link.group(2) : link.group(3);
                    if (!EXTERNAL.matcher(target).matches()) {
                        checkLink(document, i + 1, target, home, anchors);
                    }
                }
            }
        }
    }

    private void checkLanguage(Block block) {
        if (!LANGUAGES.contains(block.language)) {
            problem(
                    block,
                    "language '" + block.language
                            + "' of the fence is not known: write sh for commands, java, or text; known are "
                            + LANGUAGES);
        } else if (block.isMarked("compile only") && !block.language.equals("java")) {
            problem(block.document, block.line - 1, "'compile only' is for java, and this is " + block.language);
        } else if (block.isMarked("run by") && !block.language.equals("sh")) {
            problem(block.document, block.line - 1, "'run by' is for sh, and this is " + block.language);
        }
    }

    private void checkCoordinates(Block block, Set<String> modules) {
        String text = String.join("\n", block.lines);
        Matcher coordinates = COORDINATES.matcher(text);
        while (coordinates.find()) {
            String artifact = coordinates.group(1) != null ? coordinates.group(1) : coordinates.group(2);
            if (!modules.contains(artifact)) {
                int line = block.line
                        + 1
                        + (int) text.substring(0, coordinates.end())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                problem(block.document, line, "no module has the artifactId " + artifact);
            }
        }
    }

    private static void addModules(Path folder, Set<String> modules) throws IOException {
        Path pom = folder.resolve("pom.xml");
        if (!Files.exists(pom)) {
            return;
        }
        String text = Files.readString(pom).replaceAll("(?s)<parent>.*?</parent>", "");
        Matcher artifact = Pattern.compile("<artifactId>([^<]*)").matcher(text);
        if (artifact.find()) {
            modules.add(artifact.group(1));
        }
        Matcher module = Pattern.compile("<module>([^<]*)").matcher(text);
        while (module.find()) {
            addModules(folder.resolve(module.group(1)), modules);
        }
    }

    private void checkSource(Block block, Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            problem(block.document, block.line - 1, "no such file: " + block.value + " (named from the root)");
            return;
        }
        boolean excerpt = block.isMarked("excerpt");
        List<String> source = Files.readAllLines(file).stream()
                .map(DocumentBlocks::normalised)
                .toList();
        List<String> wanted = block.lines.stream()
                .map(line -> normalised(excerpt ? line : line.replaceFirst("(^|\\s)#.*", "")))
                .toList();
        int missing = -1;
        for (int i = wanted.size() - 1; i >= 0; i--) {
            String line = wanted.get(i);
            if (excerpt ? !source.contains(line) : source.stream().noneMatch(other -> other.contains(line))) {
                missing = i;
            }
        }
        if (missing >= 0) {
            problem(
                    block.document,
                    block.line + 1 + missing,
                    block.value + " has no such line: " + wanted.get(missing));
        } else if (excerpt && (wanted.isEmpty() || Collections.indexOfSubList(source, wanted) < 0)) {
            problem(block, "these lines do not stand one after the other in " + block.value);
        }
    }

    private static String normalised(String line) {
        return line.strip().replaceAll("\\s+", " ");
    }

    private void checkLink(Document document, int line, String target, Path home, Map<Path, Set<String>> anchors)
            throws IOException {
        int hash = target.indexOf('#');
        String path = URLDecoder.decode(
                (hash < 0 ? target : target.substring(0, hash)).replace("+", "%2B"), StandardCharsets.UTF_8);
        Path here = Path.of(document.name).toAbsolutePath().normalize();
        Path file = here;
        if (path.startsWith("/")) {
            file = home.resolve(path.substring(1)).normalize();
        } else if (!path.isEmpty()) {
            file = here.resolveSibling(path).normalize();
        }
        if (!Files.exists(file) || !file.startsWith(home)) {
            problem(document.name, line, "link leads nowhere: " + target);
        } else if (hash >= 0 && file.toString().endsWith(".md")) {
            if (!anchors.containsKey(file)) {
                anchors.put(file, anchors(new DocumentBlocks().read(file.toString())));
            }
            if (!anchors.get(file).contains(target.substring(hash + 1))) {
                problem(document.name, line, "link leads nowhere: " + target + " (the document has no such heading)");
            }
        }
    }

    /** Returns the anchors of a document as its host makes them of headings, and those that it sets itself. */
    private static Set<String> anchors(Document document) {
        Set<String> anchors = new HashSet<>();
        for (String line : document.prose) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String text = heading.group(1)
                        .replaceAll("!?\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT);
                String anchor = text.replaceAll("[^\\p{L}\\p{M}\\p{N} _-]", "").replace(' ', '-');
                String unique = anchor;
                for (int i = 1; !anchors.add(unique); i++) {
                    unique = anchor + "-" + i;
                }
            }
            Matcher set = ANCHOR.matcher(line);
            while (set.find()) {
                anchors.add(set.group(1));
            }
        }
        return anchors;
    }
}
