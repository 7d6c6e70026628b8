package dev.touchstone.harness.store;

import dev.touchstone.harness.file.JsonProblem;
import java.util.regex.Pattern;

/** The form of a cell's id, {@code workload/t8/name=value/SUBJECT}: words between slashes, and nothing that a path could climb with. */
final class CellIds {
    private static final int MAX_CHARS = 500;
    private static final String WORD = "[A-Za-z0-9][A-Za-z0-9._-]*";
    private static final Pattern FORM =
            Pattern.compile(WORD + "/t[0-9]{1,5}(/" + WORD + "=[^/\\\\\\p{Cntrl}]*)*/" + WORD);

    private CellIds() {}

    static void check(String name, String id) throws JsonProblem {
        if (id.length() > MAX_CHARS || id.contains("..") || !FORM.matcher(id).matches()) {
            String shown = id.length() > MAX_CHARS ? id.substring(0, MAX_CHARS) : id;
            throw new JsonProblem(name + ": expected workload/t<threads>[/name=value]/SUBJECT, got '" + shown + "'");
        }
    }
}
