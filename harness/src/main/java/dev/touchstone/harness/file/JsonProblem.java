package dev.touchstone.harness.file;

/** Text that is not the JSON of the record asked for. The message names the place: a line and column, or the path of a component. */
public final class JsonProblem extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates a problem.
     *
     * @param message names the place, what was expected and what was found
     */
    public JsonProblem(String message) {
        super(message);
    }
}
