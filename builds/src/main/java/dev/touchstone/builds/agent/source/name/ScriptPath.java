package dev.touchstone.builds.agent.source.name;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Place of a script in its repository: a relative path that stays there, also where it goes through links. */
public record ScriptPath(String text) {
    private static final int MAX_CHARS = 1_000;

    /**
     * Reads a path.
     *
     * @throws SourceRefusedException if it leads out of the repository, or nowhere
     */
    public static ScriptPath parse(String text) {
        if (text.isEmpty() || text.length() > MAX_CHARS) {
            throw refused(text, "is empty or longer than " + MAX_CHARS + " characters");
        }
        if (text.chars().anyMatch(c -> c < 0x20 || c == 0x7f || c == '\\' || c == ':')) {
            throw refused(text, "has a control character, a backslash or a colon");
        }
        for (String step : text.split("/", -1)) {
            if (step.isEmpty() || step.equals(".") || step.equals("..")) {
                throw refused(text, "is not a relative path of plain steps");
            }
            if (step.startsWith("-") || step.equalsIgnoreCase(".git")) {
                throw refused(text, "has a step that begins with a dash, or git's own folder");
            }
        }
        return new ScriptPath(text);
    }

    /**
     * Returns the script's file in a tree.
     *
     * @throws SourceRefusedException if there is none, or it is outside the tree
     */
    public Path in(Path tree) throws IOException {
        Path file = tree.resolve(text);
        if (!Files.exists(file)) {
            throw refused(
                    text,
                    Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? "is a link to nothing" : "is not in the tree");
        }
        Path root = tree.toRealPath();
        Path real = file.toRealPath();
        if (!real.startsWith(root) || real.startsWith(root.resolve(".git"))) {
            throw refused(text, "is a link that leads out of the repository");
        }
        if (!Files.isRegularFile(real)) {
            throw refused(text, "is not a file");
        }
        return file;
    }

    @Override
    public String toString() {
        return text;
    }

    private static SourceRefusedException refused(String text, String reason) {
        return new SourceRefusedException("script", text, reason);
    }
}
