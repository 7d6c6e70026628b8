package dev.touchstone.serialization.processor;

import javax.lang.model.element.Element;

/** A mistake in an element of the sources, which the compiler reports there. */
final class Problem extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Element element;

    Problem(Element element, String message) {
        super(message);
        this.element = element;
    }

    Element element() {
        return element;
    }
}
