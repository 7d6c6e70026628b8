package dev.touchstone.serialization.processor;

import javax.lang.model.element.Element;

/** What is wrong with an element, to be told by the compiler. */
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
