#pragma once

namespace salvo::shooting {

// Every number that shapes what this room decides, reached from ShootingOptions. Where no page is named, a number is as
// it was first set, and no campaign has varied it.
struct Rules {
  // Instructions that a stage of an integrator costs besides its formulas, for the ledger. Larger, and models of few
  // instructions are charged as if they were longer ones.
  double stage_overhead = 50;
  // Right-hand sides on one interval, until some have been integrated: ten steps of six stages. Larger, and sweeps
  // weigh more against linear algebra (docs/mathematics.md, section 14).
  double usual_stages = 60;
  // Evaluations that a fit takes. Larger, and machine code is made earlier where many fits are expected.
  double usual_passes = 20;
  // Products with derivatives by theta that conjugate gradients take in one step, at most one for each theta. Larger,
  // and matrices are preferred to sweeps (docs/mathematics.md, section 14).
  double usual_products = 20;
  // What a lane of a full pack costs, in units of a trajectory that flies alone. Smaller, and nodes whose intervals
  // fill packs look cheaper than few long intervals (docs/decisions/machine-code.md has the ratios).
  double lane_price = 1.0 / 3;
  // Intervals of one experiment at the start. Larger, and long series begin on more nodes, each of which costs time;
  // smaller, and a short event may fall between two of them (docs/decisions/nodes.md).
  double most_intervals = 200;
  // Intervals of all experiments together at the start. Larger, and many experiments begin on more nodes.
  double most_intervals_in_all = 2'000;
  // Intervals that thinning leaves to each of very many experiments. Smaller, and their starts follow the data less.
  double least_intervals = 10;
  // Growth of a perturbation, a factor, that a merged interval may have; an interval is cut beyond the square of it.
  // Larger, and nodes are fewer, and linearisations hold less far (docs/decisions/nodes.md).
  double tame_growth = 10;
  // Distance, in units of a state's size, at which a trajectory may pass a node that is dropped. Larger, and nodes go
  // earlier, and the point changes more when they do (docs/mathematics.md, section 12).
  double near_node = 0.2;
  // Residuals in sigmas, root mean square, up to which data count as met, so that nodes beside them may go. Larger, and
  // starts far from all data become one long trajectory (docs/decisions/nodes.md).
  double met_data = 3;
  // Nodes of one experiment that cutting may lead to. A flow that asks for more is not to be tamed by nodes, and the
  // time of a fit grows in proportion.
  double most_nodes = 1'000;
  // Pieces into which an interval that stretches is cut at once. Smaller, and more rounds are needed; larger, and one
  // linearisation may fill the grid.
  double most_pieces = 20;
  // Share of an observable's smallest datum below which rows that are ratios do not look. Larger, and the smallest data
  // say less of how far off a prediction is.
  double of_smallest_datum = 0.1;
  // Factor by which a quantity that keeps its sign, by bounds or scale, may change in a cautious step. Larger, and a
  // rate may jump from 1 to 1e-6 because one linearisation says so, and seldom comes back
  // (docs/decisions/globalisation.md).
  double cautious_factor = 2.5;
  // Share of its guess that a parameter near zero is measured by. Smaller, and short steps there count as long ones.
  double of_guess = 1e-3;

  // Calls visit("name", number) for each of them.
  template <class Self, class Visit>
  static void each(Self& self, Visit&& visit) {
    visit("stage_overhead", self.stage_overhead);
    visit("usual_stages", self.usual_stages);
    visit("usual_passes", self.usual_passes);
    visit("usual_products", self.usual_products);
    visit("lane_price", self.lane_price);
    visit("most_intervals", self.most_intervals);
    visit("most_intervals_in_all", self.most_intervals_in_all);
    visit("least_intervals", self.least_intervals);
    visit("tame_growth", self.tame_growth);
    visit("near_node", self.near_node);
    visit("met_data", self.met_data);
    visit("most_nodes", self.most_nodes);
    visit("most_pieces", self.most_pieces);
    visit("of_smallest_datum", self.of_smallest_datum);
    visit("cautious_factor", self.cautious_factor);
    visit("of_guess", self.of_guess);
  }
};

}  // namespace salvo::shooting
