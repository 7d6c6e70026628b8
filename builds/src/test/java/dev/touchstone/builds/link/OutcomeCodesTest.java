package dev.touchstone.builds.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.agent.store.OutcomeCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The agent has its own names for ends, but the numbers are those of the API. */
class OutcomeCodesTest {
    @ParameterizedTest
    @EnumSource
    void number_ofAnAgentsCode_isOneOfTheApi(OutcomeCode code) {
        assertThat(BuildCode.of(code.number())).as(code.name()).isPresent();
        assertThat(BuildCode.of(code.number()).orElseThrow() == BuildCode.OK).isEqualTo(code == OutcomeCode.SUCCEEDED);
    }
}
