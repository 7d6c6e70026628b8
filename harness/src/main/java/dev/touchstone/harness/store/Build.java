package dev.touchstone.harness.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Roles of the builds in a run. */
public enum Build {
    /** The build that the run is of. */
    @JsonProperty("own")
    OWN,
    /** The build that it is compared with. */
    @JsonProperty("baseline")
    BASELINE,
    /** The run's own build once more: what differs from {@link #OWN} is the machine's doing. */
    @JsonProperty("again")
    AGAIN
}
